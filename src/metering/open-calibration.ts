import type { Calibration } from './calibration'

const weight = 0.05
const least = 0.6
const most = 4
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
      const mean = (before ?? start) * (1 - weight) + (actual / estimated) * weight
      const factor = Math.min(most, Math.max(least, mean))
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
