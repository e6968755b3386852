import type { Calibration } from './calibration'

const weight = 0.05
/**
 * Shorter prompts weigh less: what vendors put around each of them is most of what is counted, and says
 * nothing of long ones.
 */
const fullWeightTokens = 1000
const least = 0.6
const most = 4
const bounded = (factor: number): number => Math.min(most, Math.max(least, factor))
/** Models remembered; those beyond keep the factor they start with. */
const maxModels = 10_000

/** Opens the calibration of token estimates. @param initial factors learnt earlier */
export function openCalibration(initial: ReadonlyMap<string, number>): Calibration {
  const factors = new Map(initial)
  let changed = new Map<string, number>()
  return {
    factor: (model, start = 1) => factors.get(model) ?? start,
    learn(model, estimated, actual, start = 1) {
      if (!(estimated > 0) || !(actual > 0)) return
      const before = factors.get(model)
      if (before === undefined && factors.size >= maxModels) return
      const part = weight * Math.min(1, estimated / fullWeightTokens)
      // One count, however odd, moves it no further than any other.
      const told = bounded(actual / estimated)
      const factor = bounded((before ?? start) * (1 - part) + told * part)
      factors.set(model, factor)
      changed.set(model, factor)
    },
    takeChanged() {
      const taken = changed
      changed = new Map()
      return taken
    },
  }
}

const everyMs = 30_000

/** Saves learnt ratios now and then. */
export function keepCalibration(
  calibration: Pick<Calibration, 'takeChanged'>,
  save: (changed: ReturnType<Calibration['takeChanged']>) => Promise<void>,
): { /** Saves what is left. */ close(): Promise<void> } {
  const saveChanged = async () => {
    const changed = calibration.takeChanged()
    if (changed.size > 0) await save(changed)
  }
  const timer = setInterval(() => void saveChanged(), everyMs)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await saveChanged()
    },
  }
}
