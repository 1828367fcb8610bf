"""The queue of a server between two tests: it knows of nothing, but its workers stay.

A worker that has imported the app is as good for the next test, and a new one takes seconds.
"""

from lab.running import jobs
from tests.clocks import until


def ended(job) -> jobs.Snapshot:
    """How it ended, looked at all the while: what nobody looks at expires, on a busy machine too"""

    def is_over():
        job.touch()
        return job.snapshot().state in jobs.ENDED

    until(is_over)
    return job.snapshot()


def forget_jobs(queue: jobs.JobQueue) -> None:
    """End what is left of a test, and remember nothing of it."""
    left = queue.jobs()
    for job in left:
        job.cancel()
    for job in left:
        ended(job)
    queue._jobs.clear()
    queue._paces.clear()


def restart() -> None:
    """As a server does: the next worker finds the environment of the test."""
    jobs.shared_queue().close()
    jobs.shared_queue.cache_clear()
