// SPDX-License-Identifier: MPL-2.0

package main

import "time"

const network = 20 * time.Millisecond

// presets are what make measures. Small numbers come first, as topics only become more.
var presets = map[string][]series{
	// quick shows that the measurement still works.
	"quick": {{subjects: subjectNames(), sizes: []int{20}, latencies: []time.Duration{network}, parallelism: []int{10}, runs: 1}},
	// full is what the figures in this directory are made of: every subject, then the numbers that the goals speak of, then growth.
	"full": {
		{subjects: []string{topicsByCount}, sizes: []int{100}, latencies: []time.Duration{0, network}, parallelism: []int{10}, runs: 3},
		{subjects: []string{topicsByKey, brokers, layouts}, sizes: []int{100}, latencies: []time.Duration{network}, parallelism: []int{10}, runs: 1},
		{subjects: []string{topicsByCount}, sizes: []int{200}, latencies: []time.Duration{network}, parallelism: []int{10}, runs: 1},
		{
			subjects: []string{topicsByCount}, sizes: []int{1000}, latencies: []time.Duration{0, network}, parallelism: []int{10}, runs: 3,
			commands: planAndApply,
		},
		{
			subjects: []string{topicsByCount}, sizes: []int{1000}, latencies: []time.Duration{network}, parallelism: []int{50}, runs: 1,
			commands: planAndApply,
		},
		{
			subjects: []string{topicsByCount}, sizes: []int{5000}, latencies: []time.Duration{network}, parallelism: []int{10}, runs: 1,
			commands: []string{"plan, unchanged", "plan, all changed"},
		},
	},
}

// planAndApply are the commands that the goals are for.
var planAndApply = []string{"plan, unchanged", "apply, unchanged", "plan, all changed", "apply, all changed"}
