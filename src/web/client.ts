import { treaty } from '@elysiajs/eden'
import type { ConsoleApi } from '../console/api/console-api'

/** The session API, with the types of its routes and nothing else of the server. */
export const api = treaty<ConsoleApi>(location.origin, { parseDate: false }).app.api

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
