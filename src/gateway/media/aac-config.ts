/** Sampling rates by their index (ISO 14496-3, 1.6.3.3); in ADTS too. */
export const aacRates: readonly number[] = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
  7350,
]

/**
 * Sampling rate of AAC by the first 16 bits of its AudioSpecificConfig (ISO 14496-3, 1.6.2.1): a
 * decoder goes by it, whatever the container says. Null where it is told in another way.
 */
export const aacRate = (bits: number): number | null =>
  bits < 0 ? null : (aacRates[(bits >> 7) & 15] ?? null)
