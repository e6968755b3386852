import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { operatorCookie } from '../../operator-cookie'
import { Name } from '../../../business/operations/fields'
import {
  CredentialId,
  MadePasskey,
  passkeyView,
  responseOf,
  signedBy,
  SignedPasskey,
} from '../passkey-fields'
import { openDoorWork } from './door-work'
import type { OperatorConsoleParts } from './parts'
import { meView } from './session'

const params = Type.Object({ id: CredentialId })

/**
 * `…/passkeys`: those of whoever is signed in; `…/options` begins a new one, and asks for the password:
 * a browser left open must not make a way in that stays.
 * `…/sign-in/passkey/options` and `…/sign-in/passkey` sign in by one alone.
 */
export const operatorPasskeysApi = (parts: OperatorConsoleParts) => {
  const { desk, operator } = parts
  const { signIn } = desk
  const { passkeys } = signIn
  const { visitorOf, guessed, siteOf } = openDoorWork(parts)
  return new Elysia({ normalize: false })
    .get('/passkeys', async ({ request }) => {
      const { operator: who } = await operator(request)
      return (await passkeys.list(who.id)).map(passkeyView)
    })
    .post(
      '/passkeys/options',
      async ({ request, body }) => {
        const { operator: who } = await operator(request)
        const site = siteOf(request)
        await guessed(request, (guess) =>
          signIn.confirm(guess, who, body.password, visitorOf(request)),
        )
        const labels = { service: desk.serviceName(), person: who.name }
        return await passkeys.registration(who.id, site, labels)
      },
      { body: Type.Object({ password: Type.String({ maxLength: 400 }) }) },
    )
    .post(
      '/passkeys',
      async ({ request, body: { name, credential } }) => {
        const { operator: who } = await operator(request)
        const made = { name: name.trim(), response: responseOf(credential) }
        return passkeyView(await passkeys.register(who.id, siteOf(request), made))
      },
      { body: Type.Object({ name: Name, credential: MadePasskey }) },
    )
    .patch(
      '/passkeys/:id',
      async ({ request, params: { id }, body }) => {
        const { operator: who } = await operator(request)
        await passkeys.rename(who.id, id, body.name.trim())
        return { name: body.name.trim() }
      },
      { params, body: Type.Object({ name: Name }) },
    )
    .delete(
      '/passkeys/:id',
      async ({ request, params: { id } }) => {
        const { operator: who } = await operator(request)
        await passkeys.remove(who.id, id)
        return { removed: true }
      },
      { params },
    )
    .post(
      '/sign-in/passkey/options',
      async ({ request }) => await passkeys.request(siteOf(request)),
    )
    .post(
      '/sign-in/passkey',
      async ({ request, body, set }) => {
        const answer = { site: siteOf(request), response: signedBy(body) }
        const { token, operator: who } = await guessed(request, (guess) =>
          signIn.signInByPasskey(guess, answer, visitorOf(request)),
        )
        set.headers['set-cookie'] = operatorCookie(token, desk.isSecure)
        return meView(who)
      },
      { body: SignedPasskey },
    )
}
