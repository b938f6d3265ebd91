from fewest._run.events import Listener, Snapshot


def test_a_listener_need_not_answer():
    listener = Listener()
    listener.before()
    listener.during(1, 2)
    assert listener.after_batch(Snapshot(0, 1, 0.5, 1, 0.1)) is None
    listener.after()
