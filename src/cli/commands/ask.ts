/** What an address answered; nulls when it did not, or not in JSON. */
export interface Asked {
  readonly status: number | null
  readonly body: unknown
}

/** One GET of the command line's own, outside of any metered call. */
export async function ask(url: string, headers: Headers, timeoutMs: number): Promise<Asked> {
  try {
    const response = await fetch(url, {
      headers,
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'manual',
    })
    return { status: response.status, body: await response.json().catch(() => null) }
  } catch {
    return { status: null, body: null }
  }
}
