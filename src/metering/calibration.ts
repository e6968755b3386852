/** What a model's vendor counts, over what we estimate: an exponential mean per model. */
export interface Calibration {
  /** 1 until something was learnt. */
  factor(model: string): number
  /** @param estimated uncalibrated estimate of the prompt tokens @param actual what the vendor counted */
  learn(model: string, estimated: number, actual: number): void
  /** Factors that changed since the last call of this. */
  takeChanged(): ReadonlyMap<string, number>
}
