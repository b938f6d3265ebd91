from fewest._run.stop_rules import Reason, StopKind


def test_only_runs_that_were_cut_short_are_partial():
    cut = {kind for kind in StopKind if kind.partial}
    assert cut == {StopKind.TIME, StopKind.INTERRUPT, StopKind.WORKER}


def test_a_kind_is_a_plain_word():
    assert f"{Reason('x').kind}" == "rule"
    assert StopKind("interrupt") is StopKind.INTERRUPT
