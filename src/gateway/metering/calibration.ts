/** Ratio of a vendor's count to our estimate: an exponential mean per model. */
export interface Calibration {
  /** @param start ratio until something was learnt; 1 by default */
  factor(model: string, start?: number): number
  /**
   * @param estimated uncalibrated estimate of the prompt tokens
   * @param actual the vendor's count
   * @param start as for `factor`
   */
  learn(model: string, estimated: number, actual: number, start?: number): void
  /** Factors that changed since the last call of this. */
  takeChanged(): ReadonlyMap<string, number>
}
