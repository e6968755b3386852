import { Type } from '@sinclair/typebox'
import { everyCredentialOf, credentialIn } from '../../../gateway/catalogue/credentials'
import { presetsOf } from '../../../domain/fields/field'
import type { VendorConfig } from '../../../domain/model'
import { vendorFields } from '../../../domain/fields/vendor-fields'
import { dialects } from '../../../gateway/vendors/openai/dialects'
import { isOwnFormat, ownFormats } from '../../../gateway/vendors/native-defaults'
import { vendorsOf } from '../../data/service-parts'
import { placeOfChanged, placeOfNew, percentOf, vendorKinds } from '../vendor-address'
import { checkKeyHere, isKeyElsewhere } from '../vendor-view'
import { vendorRoutes } from '../vendor-routes'
import { checkVendorAnswers, trialOf } from '../vendor-test'
import {
  addVendor,
  checkNewVendor,
  checkVendorName,
  marginOf,
  removeVendor,
  setVendor,
  vendorNamed,
  type VendorChange,
} from '../vendors'
import { orNull, said, sent } from '../../operations/fields'
import { changeBy } from '../../operations/from-fields'
import { operation } from '../../operations/operation'
import { cataloguePartsOf } from '../../operations/parts'
import { vendorCommands } from './vendor-commands'
import { changedVendorFields, newVendorFields } from './vendor-fields'
import {
  ChangedVendor,
  changedVendorView,
  namedVendorView,
  RemovedVendor,
  TestedVendor,
  trialView,
  VendorName,
  VendorRouteView,
  vendorRouteView,
  VendorView,
  vendorViewIn,
} from './vendor-views'

const text = Type.String()
const margin = (typed: string | undefined): string | undefined =>
  typed === undefined
    ? undefined
    : said('margin_percent', { rule: 'bad_form', form: 'percent' }, () => percentOf(typed))

/** Another address or another key may be wrong. */
const isMoved = (was: VendorConfig, now: VendorConfig): boolean =>
  was.baseUrl !== now.baseUrl || was.kind !== now.kind || was.credential !== now.credential

export const vendorOperations = [
  operation({
    name: 'vendor.list',
    method: 'GET',
    path: '/vendors',
    role: 'viewer',
    about: 'Vendors with their state, latency, failures and balance; keys are not shown',
    query: {
      builtin: Type.Optional(Type.Boolean({ description: 'False leaves out the sandbox' })),
    },
    result: Type.Object({ data: Type.Array(VendorView) }),
    commands: [vendorCommands.list],
    async run(parts, { query: { builtin: withBuiltin = true } }) {
      const all = await vendorsOf(await cataloguePartsOf(parts))
      const vendors = all.filter(({ source }) => withBuiltin || source !== 'builtin')
      return { data: await Promise.all(vendors.map((vendor) => vendorViewIn(parts, vendor))) }
    },
  }),
  operation({
    name: 'vendor.kinds',
    method: 'GET',
    path: '/vendor-kinds',
    role: 'viewer',
    about: 'What a vendor can speak, with its own address where it has one, and dialects of it',
    result: Type.Object({
      data: Type.Array(
        Type.Object({ kind: text, base_url: orNull(text), dialects: Type.Array(text) }),
      ),
    }),
    run: async () => ({
      data: vendorKinds.map((kind) => ({
        kind,
        base_url: isOwnFormat(kind) ? ownFormats[kind].baseUrl : null,
        dialects: isOwnFormat(kind) ? [kind, 'generic'] : Object.keys(dialects),
      })),
    }),
  }),
  operation({
    name: 'vendor.get',
    method: 'GET',
    path: '/vendors/{name}',
    role: 'viewer',
    about: 'One vendor with its credentials, without their keys',
    params: { name: VendorName },
    result: VendorView,
    commands: [vendorCommands.show],
    run: async (parts, { params }) => await namedVendorView(parts, params.name),
  }),
  operation({
    name: 'vendor.routes',
    method: 'GET',
    path: '/vendors/{name}/routes',
    role: 'viewer',
    about: 'Routes to a vendor by model, with those that nobody else serves',
    params: { name: VendorName },
    result: Type.Object({ data: Type.Array(VendorRouteView) }),
    commands: [vendorCommands.routes],
    run: async (parts, { params }) => ({
      data: (await vendorRoutes(await cataloguePartsOf(parts), params.name)).map(vendorRouteView),
    }),
  }),
  operation({
    name: 'vendor.add',
    method: 'POST',
    path: '/vendors',
    role: 'owner',
    about: 'Add a vendor: it is tried, then saved; no price on sale moves',
    body: newVendorFields,
    result: ChangedVendor,
    commands: [vendorCommands.add],
    async run(parts, { body }) {
      const { service, requester } = parts
      const marginPercent = margin(body.margin_percent) ?? null
      checkVendorName(body.name)
      await checkNewVendor(await cataloguePartsOf(parts), body.name)
      const { base_url: baseUrl, dialect, kind } = body
      const vendor: VendorConfig = {
        ...presetsOf(vendorFields),
        timeoutMs: service.vendorTimeoutMs,
        ...changeBy(vendorFields, body),
        ...placeOfNew({ kind, ...sent({ baseUrl, dialect }) }, service.ownAddresses()),
        name: body.name,
        credential: body.api_key ?? null,
        source: 'command',
      }
      const trial = body.test
        ? await checkVendorAnswers(service.askVendor, vendor, body.force === true)
        : null
      const added = await addVendor(await cataloguePartsOf(parts), vendor, {
        marginPercent,
        by: requester.actor,
      })
      return await changedVendorView(parts, added, trial)
    },
  }),
  operation({
    name: 'vendor.set',
    method: 'PATCH',
    path: '/vendors/{name}',
    role: 'owner',
    about: 'Change a vendor, its key too, or switch it off and on; what is not sent stays',
    params: { name: VendorName },
    body: changedVendorFields,
    result: ChangedVendor,
    commands: [vendorCommands.set],
    async run(parts, { params, body }) {
      const { service, requester } = parts
      const given = await cataloguePartsOf(parts)
      const vendor = await vendorNamed(given, params.name)
      const { kind, base_url: baseUrl, dialect } = body
      const place = placeOfChanged(vendor, sent({ kind, baseUrl, dialect }), service.ownAddresses())
      const change: VendorChange = {
        ...changeBy(vendorFields, body),
        ...place,
        ...sent({
          credential: body.api_key,
          name: body.rename,
          marginPercent: margin(body.margin_percent),
        }),
      }
      const changed = { ...vendor, ...change, name: vendor.name }
      const trial =
        body.test && isMoved(vendor, changed) && !isKeyElsewhere(given, changed)
          ? await checkVendorAnswers(service.askVendor, changed, body.force === true)
          : null
      const set = await setVendor(given, params.name, change, requester.actor)
      return await changedVendorView(parts, set, trial)
    },
  }),
  operation({
    name: 'vendor.remove',
    method: 'DELETE',
    path: '/vendors/{name}',
    role: 'owner',
    about: 'Remove a vendor; its models lose that route, and keep their prices',
    params: { name: VendorName },
    result: RemovedVendor,
    commands: [vendorCommands.remove],
    async run(parts, { params: { name } }) {
      await removeVendor(await cataloguePartsOf(parts), name)
      return { name, deleted: true, margin_percent: await marginOf(parts, name) }
    },
  }),
  operation({
    name: 'vendor.test',
    method: 'POST',
    path: '/vendors/{name}/test',
    role: 'staff',
    about: 'Ask a vendor for its models with each of its credentials: reachable, key accepted',
    params: { name: VendorName },
    result: TestedVendor,
    commands: [vendorCommands.test],
    async run(parts, { params }) {
      const given = await cataloguePartsOf(parts)
      const vendor = await vendorNamed(given, params.name)
      checkKeyHere(given, vendor)
      const data = await Promise.all(
        everyCredentialOf(vendor).map(async (signed) =>
          trialView(await trialOf(parts.service.askVendor, signed), credentialIn(signed)),
        ),
      )
      return { name: vendor.name, ok: data.every(({ ok }) => ok), data }
    },
  }),
] as const
