import { Type } from '@sinclair/typebox'
import {
  addCredential,
  removeCredential,
  replaceCredential,
  switchCredential,
} from '../vendor-credentials'
import { checkVendorAnswers } from '../vendor-trial'
import { vendorNamed } from '../vendors'
import { operation } from './operation'
import { cataloguePartsOf, type KeptParts } from './parts'
import { namedVendorView, VendorName, VendorSecret, VendorView } from './vendor-views'

const trial = {
  /** False saves it without asking the vendor. */
  test: Type.Boolean({ default: true }),
  /** Saves it although the vendor does not answer well. */
  force: Type.Optional(Type.Boolean()),
} as const

/** Asks a vendor with a key before it is kept. @throws AdminError vendor_trial_failed */
async function tryKey(
  parts: KeptParts,
  name: string,
  credential: string,
  isForced: boolean,
): Promise<void> {
  const named = await vendorNamed(await cataloguePartsOf(parts), name)
  const { moreCredentials: _, credentialOff: __, ...vendor } = named
  await checkVendorAnswers(parts.service.askVendor, { ...vendor, credential }, isForced)
}

export const vendorCredentialOperations = [
  operation({
    name: 'vendor_credential.add',
    method: 'POST',
    path: '/vendors/{name}/credentials',
    role: 'owner',
    about: 'Add a credential: calls choose among those that serve',
    params: { name: VendorName },
    body: {
      /** The next free one of `key-2`, `key-3` … unless told. */
      name: Type.Optional(VendorName),
      api_key: VendorSecret,
      ...trial,
    },
    result: VendorView,
    async run(parts, { params, body }) {
      const { api_key: secret, name = null, test, force = false } = body
      if (test) await tryKey(parts, params.name, secret, force)
      await addCredential(await cataloguePartsOf(parts), params.name, { name, secret })
      return await namedVendorView(parts, params.name)
    },
  }),
  operation({
    name: 'vendor_credential.set',
    method: 'PATCH',
    path: '/vendors/{name}/credentials/{credential}',
    role: 'owner',
    about:
      'Switch a credential off or on, or give it another key; what it ordered is still looked after',
    params: { name: VendorName, credential: VendorName },
    body: {
      active: Type.Optional(Type.Boolean()),
      /** In the place of the one that it has. */
      api_key: Type.Optional(VendorSecret),
      ...trial,
    },
    result: VendorView,
    async run(parts, { params, body }) {
      const { name, credential } = params
      const { active, api_key: secret, test, force = false } = body
      const given = await cataloguePartsOf(parts)
      if (secret !== undefined) {
        if (test) await tryKey(parts, name, secret, force)
        await replaceCredential(given, name, credential, secret)
      }
      if (active !== undefined) await switchCredential(given, name, credential, active)
      return await namedVendorView(parts, name)
    },
  }),
  operation({
    name: 'vendor_credential.remove',
    method: 'DELETE',
    path: '/vendors/{name}/credentials/{credential}',
    role: 'owner',
    about: 'Forget a credential; video jobs that it ordered are asked for by another one',
    params: { name: VendorName, credential: VendorName },
    result: VendorView,
    async run(parts, { params: { name, credential } }) {
      await removeCredential(await cataloguePartsOf(parts), name, credential)
      return await namedVendorView(parts, name)
    },
  }),
] as const
