/**
 * Asks an address on this machine, briefly, whether somebody serves models there.
 * @returns the parsed JSON answer, or null when nobody answers in time
 */
export async function probe(url: string, timeoutMs: number): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), proxy: '' })
    return response.ok ? await response.json() : null
  } catch {
    return null
  }
}
