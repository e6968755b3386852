import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { addressBlocks } from '../../gateway/net/address'
import { lookName } from '../customer'
import { guessing } from '../guessing'
import { lookCookie, lookTokenOf } from '../look-cookie'
import { Refusal } from '../refusal'
import type { ConsoleParts } from './parts'

/** The one address that a look may be begun and left at: everything else of it is only read. */
export const lookPath = '/app/api/look'

/**
 * `/app/api/look`: an operator comes to see an account as its owner does, and leaves;
 * `/app/api/looks`: those who did, for the people of the account.
 */
export const looksApi = (parts: ConsoleParts) => {
  const { looks, isSecure, customer, operatorUrl } = parts
  return new Elysia({ normalize: false })
    .post(
      '/look',
      async ({ request, body, set }) => {
        const blocks = addressBlocks(parts.addressOf(request))
        const opened = await guessing(parts.limits, blocks, async (guess) => {
          const found = await looks.open(guess, body.ticket)
          if (found === null) throw new Refusal(404, 'look_over')
          return found
        })
        set.headers['set-cookie'] = lookCookie(opened.token, isSecure)
        return { account: opened.look.account }
      },
      { body: Type.Object({ ticket: Type.String({ minLength: 20, maxLength: 100 }) }) },
    )
    .delete('/look', async ({ request, set }) => {
      const token = lookTokenOf(request.headers, isSecure)
      const ended = token === null ? null : await looks.end(token)
      set.headers['set-cookie'] = lookCookie(null, isSecure)
      const page = ended === null ? '' : `/accounts/${ended.account}`
      return { back: `${operatorUrl()}/app/operator${page}` }
    })
    .get('/looks', async ({ request }) => {
      const { account } = await customer(request)
      const all = await looks.list(account)
      return all.map(({ who, begun, expires, ended }) => ({
        by: lookName(who),
        begun: begun as number,
        /** Of one that lasts: when it ends by itself. */
        until: (ended ?? expires) as number,
        lasts: ended === null,
      }))
    })
}
