import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { closeAccount } from '../../business/accounts/close-account'
import { settable } from '../../business/operations/from-fields'
import { accountFields } from '../../domain/fields/account-fields'
import { changeIn, wired } from '../../domain/fields/field'
import { ownersOnly } from '../../business/users/members'
import { Refusal } from '../refusal'
import { sessionCookie } from '../session-cookie'
import { exportStream } from './account-export'
import { usdText } from './fields'
import type { ConsoleParts } from './parts'

/** Fields that its owners set themselves; a floor of null is the service's own. */
const ownFields = { name: accountFields.name, noticeFloor: accountFields.noticeFloor }
const Change = Type.Object(settable(ownFields))
const Closing = Type.Object({ name: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]) })

/**
 * `/app/api/account`: name and floor of the balance; `…/export`: everything that is kept of it, as
 * one JSON document; `…/close`: its end, for owners.
 */
export const accountApi = (parts: ConsoleParts) => {
  const { customer, directory } = parts
  const viewOf = async (who: Awaited<ReturnType<typeof customer>>) => {
    const account = await directory(who).findAccount(who.account)
    if (account === null) throw new Refusal(404, 'not_found')
    return {
      ...wired(ownFields, account),
      service_floor_usd: usdText(parts.noticeFloor),
      created: account.created as number,
    }
  }
  return new Elysia({ prefix: '/account', normalize: false })
    .get('/', async ({ request }) => await viewOf(await customer(request)))
    .patch(
      '/',
      async ({ request, body }) => {
        const who = await customer(request)
        ownersOnly(who)
        await directory(who).setAccount(who.account, changeIn(ownFields, body))
        parts.changed()
        return await viewOf(who)
      },
      { body: Change },
    )
    .get('/export', async ({ request }) => {
      const who = await customer(request)
      ownersOnly(who)
      // All of it in one file, phones whole, is the owner's alone.
      if (who.look !== undefined) throw new Refusal(403, 'look_only')
      const day = new Date(parts.clock.now()).toISOString().slice(0, 10)
      return new Response(exportStream(parts, who), {
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-disposition': `attachment; filename="account-${who.account}-${day}.json"`,
        },
      })
    })
    .post(
      '/close',
      async ({ request, body, set }) => {
        const who = await customer(request)
        ownersOnly(who)
        await parts.ledger.flush()
        const { held } = await parts.ledger.funds(who.account)
        const { keys } = await closeAccount(parts.closings(who), {
          account: who.account,
          giveUp: body.name,
          held,
        })
        parts.changed()
        set.headers['set-cookie'] = sessionCookie(null, parts.isSecure)
        return { closed: true, keys }
      },
      { body: Closing },
    )
}
