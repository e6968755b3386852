import { Type } from '@sinclair/typebox'
import { addCredential, removeCredential, switchCredential } from '../vendor-credentials'
import { checkVendorAnswers } from '../vendor-trial'
import { vendorNamed } from '../vendors'
import { operation } from './operation'
import { cataloguePartsOf } from './parts'
import { namedVendorView, VendorName, VendorSecret, VendorView } from './vendor-views'

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
      test: Type.Boolean({ default: true }),
      force: Type.Optional(Type.Boolean()),
    },
    result: VendorView,
    async run(parts, { params, body }) {
      const { api_key: secret, name = null, test, force } = body
      const given = cataloguePartsOf(parts)
      const {
        moreCredentials: _,
        credentialOff: __,
        ...vendor
      } = await vendorNamed(given, params.name)
      if (test)
        await checkVendorAnswers(
          parts.service.askVendor,
          { ...vendor, credential: secret },
          force === true,
        )
      await addCredential(given, params.name, { name, secret })
      return await namedVendorView(parts, params.name)
    },
  }),
  operation({
    name: 'vendor_credential.set',
    method: 'PATCH',
    path: '/vendors/{name}/credentials/{credential}',
    role: 'owner',
    about: 'Switch a credential off or on; what it ordered is still looked after',
    params: { name: VendorName, credential: VendorName },
    body: { active: Type.Boolean() },
    result: VendorView,
    async run(parts, { params, body }) {
      const { name, credential } = params
      await switchCredential(cataloguePartsOf(parts), name, credential, body.active)
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
      await removeCredential(cataloguePartsOf(parts), name, credential)
      return await namedVendorView(parts, name)
    },
  }),
] as const
