from fewest.measures.filters.cfs import CFS
from fewest.measures.filters.cmim import CMIM
from fewest.measures.filters.koller_sahami import KollerSahami
from fewest.measures.filters.mrmr import JMI, MRMR
from fewest.measures.filters.rankings import GainRatio, InformationGain, SymmetricUncertainty
from fewest.measures.filters.relief import ReliefF
from fewest.measures.networks.likelihood import CALL, ConditionalLogLikelihood, LogLikelihood
from fewest.measures.networks.mdl import MDL
from fewest.measures.networks.mdl_fs import MDLFS
from fewest.testing import parametrize_with_measure_checks
from fewest.testing.tables import mixed_table, nominal_table

MEASURES = [
    MDL(),
    MDL("tan"),
    MDL("complete"),
    MDLFS(),
    MDLFS("tan", auxiliary="tan"),
    MDLFS("complete", auxiliary="complete"),
    CALL("tan", per_row=True),
    LogLikelihood("tan"),
    ConditionalLogLikelihood("tan", per_row=True),
    CFS(),
    KollerSahami(neighbours=2),
    MRMR(),
    JMI(),
    CMIM(),
    InformationGain(),
    GainRatio(),
    SymmetricUncertainty(),
    ReliefF(neighbours=3, samples=20),
]


@parametrize_with_measure_checks(
    [(measure, table) for measure in MEASURES for table in (nominal_table(), mixed_table())]
)
def test_measure(measure, table, check):
    check(measure, table)
