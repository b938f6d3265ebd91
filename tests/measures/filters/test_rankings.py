from fewest.measures._description_length import (
    CALL,
    MDL,
    MDLFS,
    ConditionalLogLikelihood,
    LogLikelihood,
)
from fewest.measures._filters.correlation import CFS, KollerSahami
from fewest.measures._filters.rankings import (
    CMIM,
    JMI,
    MRMR,
    GainRatio,
    InformationGain,
    SymmetricUncertainty,
)
from fewest.measures._filters.relief import ReliefF
from fewest.testing import parametrize_with_measure_checks
from fewest.testing._tables import mixed_table, nominal_table

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
