/** Ratio of a vendor's count to our estimate: an exponential mean per model. */
export interface Calibration {
  /** @param start what holds until something was learnt; 1 unless told otherwise */
  factor(model: string, start?: number): number
  /**
   * @param estimated uncalibrated estimate of the prompt tokens
   * @param actual what the vendor counted
   * @param start as for `factor`
   */
  learn(model: string, estimated: number, actual: number, start?: number): void
  /** Factors that changed since the last call of this. */
  takeChanged(): ReadonlyMap<string, number>
}
