import { getJson } from '../../gateway/outbound/get-json'

/**
 * Asks an address on this machine, briefly, whether somebody serves models there.
 * @returns the parsed JSON answer, or null when nobody answers well in time
 */
export async function probe(url: string, timeoutMs: number): Promise<unknown> {
  const { status, body } = await getJson(url, new Headers(), timeoutMs)
  return status === 200 ? body : null
}
