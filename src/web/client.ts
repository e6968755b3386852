import { treaty } from '@elysiajs/eden'
import type { ConsoleApi } from '../console/api/console-api'
import { requestProof } from './proof'

/**
 * Sends a request again where that may help: once its person has shown who they are, for what needs a
 * proof; at once, where a proof in another tab has renewed the cookie meanwhile.
 */
export async function fetchAgain(...request: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...request)
  if (answer.status === 401) {
    // A body that is not read leaves its request open in the browser.
    await answer.arrayBuffer()
    return await fetch(...request)
  }
  if (answer.status !== 403 || (await codeOf(answer.clone())) !== 'proof_required') return answer
  return (await requestProof()) ? await fetch(...request) : answer
}

async function codeOf(answer: Response): Promise<string | undefined> {
  const body = (await answer.json().catch(() => null)) as { error?: { code?: string } } | null
  return body?.error?.code
}

/** The session API, with the types of its routes and nothing else of the server. */
export const api = treaty<ConsoleApi>(location.origin, {
  parseDate: false,
  fetcher: fetchAgain as typeof fetch,
}).app.api

/** Refusal by the server, with the facts that its text needs. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly facts: Record<string, string | number>,
  ) {
    super(code)
  }
}

interface Answer<Data> {
  readonly data: Data | null
  readonly error: { readonly status: unknown; readonly value: unknown } | null
}

/** Data of an answer of the session API. @throws ApiError */
export async function ask<Data>(answering: Promise<Answer<Data>>): Promise<Exclude<Data, null>> {
  const { data, error } = await answering
  if (error !== null) {
    const body = error.value as { error?: { code?: string } } | null
    const { code = 'other', ...facts } = body?.error ?? {}
    throw new ApiError(Number(error.status), code, facts)
  }
  return data as Exclude<Data, null>
}
