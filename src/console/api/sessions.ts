import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { textForms } from '../../business/operations/refusals/text-forms'
import type { AccountId } from '../../domain/ids'
import { sessionId } from '../../business/users/sessions'
import { Refusal } from '../refusal'
import { sessionCookie, tokenOf } from '../session-cookie'
import type { ConsoleParts } from './parts'

/** `/app/api/session`: this browser's, and which account it shows; `/app/api/sessions`: all of the person who is signed in. */
export const sessionsApi = (parts: ConsoleParts) => {
  const { customer, sessions, isSecure } = parts
  const ended = sessionCookie(null, isSecure)
  return new Elysia({ normalize: false })
    .put(
      '/session',
      async ({ request, body }) => {
        await customer(request)
        const token = tokenOf(request.headers, isSecure) ?? ''
        if (!(await sessions.choose(token, body.account as AccountId)))
          throw new Refusal(404, 'not_found')
        return { account: body.account }
      },
      { body: Type.Object({ account: Type.Integer({ minimum: 1 }) }) },
    )
    .delete('/session', async ({ request, set }) => {
      const token = tokenOf(request.headers, isSecure)
      if (token !== null) await sessions.end(token)
      set.headers['set-cookie'] = ended
      return { ended: true }
    })
    .get('/sessions', async ({ request }) => {
      const { person } = await customer(request)
      const token = tokenOf(request.headers, isSecure)
      const current = token === null ? null : await sessions.find(token)
      const all = await sessions.list(person)
      return all.map((session) => ({
        id: sessionId(session),
        current: session.hash === current?.hash,
        agent: session.agent,
        address: session.address,
        created: session.created,
        seen: session.seen,
        way: session.way,
      }))
    })
    .delete(
      '/sessions/:id',
      async ({ request, params }) => {
        const { person } = await customer(request)
        if (!(await sessions.endOne(person, params.id))) throw new Refusal(404, 'not_found')
        return { ended: 1 }
      },
      { params: Type.Object({ id: Type.String({ pattern: textForms.session }) }) },
    )
    .delete('/sessions', async ({ request, set }) => {
      const { person } = await customer(request)
      set.headers['set-cookie'] = ended
      return { ended: await sessions.endAll(person) }
    })
}
