import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { PeopleRefusal } from '../../business/users/refusal'
import { showPhone } from '../../domain/phone'
import { guessing } from '../guessing'
import { sessionCookie } from '../session-cookie'
import { Name } from '../../business/operations/fields'
import { meOf } from './me'
import type { ConsoleParts } from './parts'
import {
  CredentialId,
  MadePasskey,
  passkeyView,
  responseOf,
  signedBy,
  SignedPasskey,
} from './passkey-fields'
import { arrivalOf, guessBlocks } from './sign-in'

/** @throws PeopleRefusal passkeys_unavailable */
export function siteOf({ passkeySite }: Pick<ConsoleParts, 'passkeySite'>, request: Request) {
  const site = passkeySite(request)
  if (site === null) throw new PeopleRefusal('passkeys_unavailable', {})
  return site
}

/**
 * `/app/api/passkeys`: those of whoever is signed in; `…/options` begins a new one.
 * `/app/api/sign-in/passkey/options` and `/app/api/sign-in/passkey` sign in by one.
 */
export const passkeysApi = (parts: ConsoleParts) => {
  const { customer, passkeys, people, isSecure } = parts
  return new Elysia({ normalize: false })
    .get('/passkeys', async ({ request }) => {
      const { person } = await customer(request)
      return (await passkeys.list(person)).map(passkeyView)
    })
    .post('/passkeys/options', async ({ request }) => {
      const { person } = await customer(request)
      const phone = (await people.find(person))?.phone ?? null
      const labels = {
        service: parts.serviceName(),
        person: phone === null ? parts.serviceName() : showPhone(phone),
      }
      return await passkeys.registration(person, siteOf(parts, request), labels)
    })
    .post(
      '/passkeys',
      async ({ request, body: { name, credential: response } }) => {
        const { person } = await customer(request)
        const made = { name: name.trim(), response: responseOf(response) }
        const passkey = await passkeys.register(person, siteOf(parts, request), made)
        parts.changed()
        return passkeyView(passkey)
      },
      { body: Type.Object({ name: Name, credential: MadePasskey }) },
    )
    .patch(
      '/passkeys/:id',
      async ({ request, params, body }) => {
        const { person } = await customer(request)
        await passkeys.rename(person, params.id, body.name.trim())
        return { name: body.name.trim() }
      },
      { params: Type.Object({ id: CredentialId }), body: Type.Object({ name: Name }) },
    )
    .delete(
      '/passkeys/:id',
      async ({ request, params }) => {
        const { person } = await customer(request)
        await passkeys.remove(person, params.id)
        parts.changed()
        return { removed: true }
      },
      { params: Type.Object({ id: CredentialId }) },
    )
    .post(
      '/sign-in/passkey/options',
      async ({ request }) => await passkeys.request(siteOf(parts, request)),
    )
    .post(
      '/sign-in/passkey',
      async ({ request, body, set }) => {
        const site = siteOf(parts, request)
        const { cookie, ...arrival } = arrivalOf(parts, request)
        const owner = await passkeys.ownerOf(body.id)
        const phone = owner === null ? null : await parts.proofs.phone(owner)
        const blocks = await guessBlocks(parts, phone, arrival.visitor)
        const { token, who } = await guessing(parts.limits, blocks, (guess) =>
          passkeys.signIn(guess, site, signedBy(body), arrival),
        )
        set.headers['set-cookie'] = [sessionCookie(token, isSecure), cookie]
        return await meOf(parts, who, request)
      },
      { body: SignedPasskey },
    )
}
