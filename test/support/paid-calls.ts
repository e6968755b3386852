import { expect } from 'bun:test'
import type { TestGateway } from './gateway'

/** Nano-dollars that a call took from the account; nothing may stay held. */
export async function spentBy(chapar: TestGateway, call: () => Promise<unknown>): Promise<number> {
  const before = Number((await chapar.rest()).balance)
  await call()
  const { held, slots, balance } = await chapar.rest()
  expect({ held, slots }).toEqual({ held: 0, slots: 0 })
  return before - Number(balance)
}

/** Says hello at an endpoint of text, in its own format. */
export function greet(
  { url, key }: Pick<TestGateway, 'url' | 'key'>,
  path: string,
  rest: { readonly model: string; readonly stream: boolean },
): Promise<Response> {
  const turns = [{ role: 'user', content: 'Hi' }]
  const body = path === '/responses' ? { input: turns } : { messages: turns, max_tokens: 500 }
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'accept-language': 'en' },
    body: JSON.stringify({ ...body, ...rest }),
  })
}
