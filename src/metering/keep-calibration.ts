import type { Calibration } from './calibration'

const everyMs = 30_000

/** Saves what was learnt now and then. */
export function keepCalibration(
  calibration: Pick<Calibration, 'takeChanged'>,
  save: (changed: ReturnType<Calibration['takeChanged']>) => void,
): { /** Saves what is left. */ close(): void } {
  const saveChanged = () => {
    const changed = calibration.takeChanged()
    if (changed.size > 0) save(changed)
  }
  const timer = setInterval(saveChanged, everyMs)
  timer.unref()
  return {
    close() {
      clearInterval(timer)
      saveChanged()
    },
  }
}
