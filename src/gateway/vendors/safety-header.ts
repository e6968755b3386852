import type { Header } from './vendor'

/**
 * Our id of the client for vendors whose request body has no field for it. A server ignores headers
 * that it does not know, while many refuse members.
 * @see https://platform.openai.com/docs/guides/safety-best-practices (November 2026), which names it
 *   for OpenAI's realtime channel
 */
export const safetyHeader = (safetyId: string): Header => ['openai-safety-identifier', safetyId]
