import { Type, type Static } from '@sinclair/typebox'
import {
  addCredential,
  removeCredential,
  replaceCredential,
  switchCredential,
} from '../vendor-credentials'
import { checkVendorAnswers } from '../vendor-test'
import { vendorNamed } from '../vendors'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'
import { cataloguePartsOf, type KeptParts } from '../../operations/parts'
import { credentialCommands } from './vendor-credential-commands'
import { trialFields } from './vendor-fields'
import {
  CredentialView,
  namedVendorView,
  SignedVendor,
  VendorName,
  VendorSecret,
} from './vendor-views'

const key = [
  'our key there',
  { option: 'api-key <key>', fromStdin: 'too', isPrompted: true },
] as const

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

const signedVendor = async (
  parts: KeptParts,
  name: string,
  credential: string,
): Promise<Static<typeof SignedVendor>> => ({
  ...(await namedVendorView(parts, name)),
  credential,
})

export const vendorCredentialOperations = [
  operation({
    name: 'vendor_credential.add',
    method: 'POST',
    path: '/vendors/{name}/credentials',
    role: 'owner',
    about: 'Add a credential: calls choose among those that serve',
    params: { name: VendorName },
    body: {
      name: asOption(Type.Optional(VendorName), 'name of the credential (default: key-2, key-3 …)'),
      api_key: asOption(VendorSecret, ...key),
      ...trialFields,
    },
    result: SignedVendor,
    commands: [credentialCommands.add],
    async run(parts, { params, body }) {
      const { api_key: secret, name = null, test, force = false } = body
      if (test) await tryKey(parts, params.name, secret, force)
      const added = await addCredential(await cataloguePartsOf(parts), params.name, {
        name,
        secret,
      })
      return await signedVendor(parts, params.name, added)
    },
  }),
  operation({
    name: 'vendor_credential.list',
    method: 'GET',
    path: '/vendors/{name}/credentials',
    role: 'viewer',
    about: 'Credentials of a vendor, without their keys',
    params: { name: VendorName },
    result: Type.Object({ data: Type.Array(CredentialView) }),
    commands: [credentialCommands.list],
    run: async (parts, { params }) => ({
      data: (await namedVendorView(parts, params.name)).credentials,
    }),
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
      api_key: asOption(Type.Optional(VendorSecret), ...key),
      ...trialFields,
    },
    result: SignedVendor,
    commands: [...credentialCommands.switches, credentialCommands.set],
    async run(parts, { params, body }) {
      const { name, credential } = params
      const { active, api_key: secret, test, force = false } = body
      const given = await cataloguePartsOf(parts)
      if (secret !== undefined) {
        if (test) await tryKey(parts, name, secret, force)
        await replaceCredential(given, name, credential, secret)
      }
      if (active !== undefined) await switchCredential(given, name, credential, active)
      return await signedVendor(parts, name, credential)
    },
  }),
  operation({
    name: 'vendor_credential.remove',
    method: 'DELETE',
    path: '/vendors/{name}/credentials/{credential}',
    role: 'owner',
    about: 'Forget a credential; video jobs that it ordered are asked for by another one',
    params: { name: VendorName, credential: VendorName },
    result: SignedVendor,
    commands: [credentialCommands.remove],
    async run(parts, { params: { name, credential } }) {
      await removeCredential(await cataloguePartsOf(parts), name, credential)
      return await signedVendor(parts, name, credential)
    },
  }),
] as const
