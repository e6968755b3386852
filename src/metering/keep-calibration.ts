import type { Calibration } from './calibration'

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
