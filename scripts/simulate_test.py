#!/usr/bin/env python3
"""The queue of scripts/simulate against cases that are known by other means."""

import importlib.machinery
import importlib.util
import random
import statistics
import unittest
from pathlib import Path

LOADER = importlib.machinery.SourceFileLoader("simulate",
                                              str(Path(__file__).resolve().parent / "simulate"))
simulate = importlib.util.module_from_spec(importlib.util.spec_from_loader("simulate", LOADER))
LOADER.exec_module(simulate)


class QueueTest(unittest.TestCase):
    def test_nobody_waits_while_a_processor_is_free(self):
        waits, end, queue = simulate.simulated([0, 0, 5], [10, 10, 1], 3)
        self.assertEqual((waits, end, queue), ([0, 0, 0], 10, 0))

    def test_one_processor_takes_one_after_the_other(self):
        waits, end, queue = simulate.simulated([0, 1, 2, 20], [5, 5, 5, 5], 1)
        self.assertEqual((waits, end, queue), ([0, 4, 8, 0], 25, 2))

    def test_the_next_goes_to_the_processor_that_is_free_first(self):
        waits, end, _ = simulate.simulated([0, 0, 0], [10, 2, 3], 2)
        self.assertEqual((waits, end), ([0, 0, 2], 10))

    def test_a_slow_scheduler_is_a_queue_of_its_own(self):
        waits, end, _ = simulate.simulated([0, 0, 0], [1, 1, 1], 8, between_starts=2)
        self.assertEqual((waits, end), ([0, 2, 4], 5))

    def test_random_arrivals_wait_as_the_formula_says(self):
        # M/D/1: with load r and service time 1 the mean wait is r / (2 (1 - r)).
        generator = random.Random(1)
        for load in (0.3, 0.6, 0.8):
            at, arrivals = 0.0, []
            for _ in range(200_000):
                at += generator.expovariate(load)
                arrivals.append(at)
            waits, _, _ = simulate.simulated(arrivals, [1.0] * len(arrivals), 1)
            expected = load / (2 * (1 - load))
            self.assertAlmostEqual(statistics.mean(waits) / expected, 1, delta=0.06)

    def test_more_processors_never_make_anybody_wait_longer(self):
        generator = random.Random(2)
        arrivals = sorted(generator.random() * 100 for _ in range(500))
        durations = [generator.random() * 3 for _ in arrivals]
        means = [statistics.mean(simulate.simulated(arrivals, durations, servers)[0])
                 for servers in (2, 4, 8, 16)]
        self.assertEqual(means, sorted(means, reverse=True))


class EveningTest(unittest.TestCase):
    def test_submissions_come_before_the_deadline_most_of_them_late(self):
        times = simulate.evening_arrivals(5000, 3.0, 6.0, 0.6, 45.0, random.Random(3))
        self.assertEqual(times, sorted(times))
        self.assertGreaterEqual(times[0], 0)
        self.assertLessEqual(times[-1], 6 * 3600)
        self.assertAlmostEqual(len(times) / 5000, 3, delta=0.15)
        last_hour = sum(time > 5 * 3600 for time in times) / len(times)
        # 0.6 · (1 − e^(−60/45)) + 0.4 / 6
        self.assertAlmostEqual(last_hour, 0.508, delta=0.02)

    def test_busiest_window_is_counted(self):
        self.assertEqual(simulate.busiest([0, 10, 20, 69, 70], 60), 3)
        self.assertEqual(simulate.busiest([], 60), 0)

    def test_percentiles_are_values_that_occurred(self):
        self.assertEqual(simulate.percentile([5, 1, 4, 2, 3], 95), 5)
        self.assertEqual(simulate.percentile(range(1, 101), 95), 95)
        self.assertEqual(simulate.percentile([], 95), 0.0)

    def test_the_mix_is_a_hundred(self):
        self.assertEqual(sum(simulate.MIX.values()), 100)
        for count in (1, 7, 20, 40, 100):
            self.assertEqual(sum(simulate.shares(count).values()), count)
        self.assertEqual(simulate.shares(100), simulate.MIX)


if __name__ == "__main__":
    unittest.main()
