import { build } from '../domain/build'
import type { MetricRegistry } from './metric-registry'

/** Milliseconds that the event loop came too late. */
const lagBounds = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500]
const lookEveryMs = 500

/** Memory, processor, age, version, and how late the event loop comes. @returns what ends the watch */
export function openProcessMetrics(registry: MetricRegistry): () => void {
  const options = (name: string, help: string) => ({ name, help })
  registry
    .counter({
      name: 'chapar_build_info',
      help: 'Always 1; says which version runs, of which commit and day.',
      labels: ['version', 'commit', 'built', 'bun'],
      type: 'gauge',
    })
    .with(build.version, build.commit, build.date, Bun.version)
    .add(1)
  registry.gauge(
    options('process_resident_memory_bytes', 'Memory of the process that is in use.'),
    () => process.memoryUsage.rss(),
  )
  registry.total(
    options('process_cpu_seconds_total', 'Processor time used, by the program and for it.'),
    () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1_000_000
    },
  )
  registry.gauge(
    options('process_start_time_seconds', 'When the process began, in seconds since 1970.'),
    () => performance.timeOrigin / 1000,
  )
  return watchEventLoop(registry)
}

function watchEventLoop(registry: MetricRegistry): () => void {
  const lag = registry
    .histogram({
      name: 'chapar_event_loop_lag_seconds',
      help: 'How much later than asked for a timer came, looked at twice a second.',
      divisor: 1000,
      bounds: lagBounds,
    })
    .with()
  let due = performance.now() + lookEveryMs
  const timer = setInterval(() => {
    const now = performance.now()
    lag.observe(Math.max(0, now - due))
    due = now + lookEveryMs
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
