import { fieldsOf, type Fields } from '../../src/gateway/json/fields'
import { saysMessage } from '../support/anthropic-stand-in'
import { openTestGateway } from '../support/gateway'
import { saysGemini } from '../support/google-stand-in'
import { addHubVendor } from '../support/hub-vendor'
import { message, responds } from '../support/responses-stand-in'
import type { Outcome } from './verdict'
import { openStandIn, replies, type Script } from '../support/stand-in'

/** Vendors of text, by the format in which each is asked. */
type Format = 'openai' | 'generic' | 'responses' | 'anthropic' | 'google'

export interface Desk {
  ask(path: string, body: Fields): Promise<Outcome>
  close(): Promise<void>
}

const answer: Script = (seen, request) => {
  const { path } = seen
  if (path.endsWith('/responses')) return responds([message('Hello')])(seen, request)
  if (path.endsWith('/messages')) return saysMessage()(seen, request)
  if (path.includes('Content')) return saysGemini()(seen, request)
  return replies()(seen, request)
}

/** A gateway whose models are at one vendor of each format, which answers anything. */
export async function openTextDesk(): Promise<Desk> {
  const vendor = openStandIn(answer)
  const chapar = await openTestGateway({
    async prepare(storage) {
      const { url } = vendor
      const add = (name: Format, kind: 'anthropic' | 'google' | 'openai', traits = {}) =>
        addHubVendor({
          name,
          kind,
          url,
          dialect: name === 'generic' ? 'generic' : 'openai',
          models: { [name]: { reasoning: true, ...traits } },
        })(storage)
      await add('openai', 'openai')
      await add('generic', 'openai')
      await add('responses', 'openai', { chat: 'responses' })
      await add('anthropic', 'anthropic')
      await add('google', 'google')
    },
  })
  return {
    async ask(path, body) {
      const before = vendor.seen.length
      const reply = await fetch(`${chapar.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${chapar.key}` },
        body: JSON.stringify(body),
      })
      const text = await reply.text()
      const { param } = reply.ok ? { param: null } : fieldsOf(fieldsOf(JSON.parse(text))['error'])
      const seen = vendor.seen.slice(before).at(-1)
      return { status: reply.status, param, body: seen?.body ?? null }
    },
    async close() {
      await chapar.close()
      await vendor.close()
    },
  }
}
