import { Type } from '@sinclair/typebox'
import { everyCredentialOf, credentialIn } from '../../catalogue/credentials'
import { transports, type VendorConfig } from '../../domain/model'
import { dialects } from '../../vendors/openai/dialects'
import { isOwnFormat, ownFormats } from '../../vendors/own-formats'
import { vendorsOf } from '../service-parts'
import { placeOfChanged, placeOfNew, percentOf, vendorKinds } from '../vendor-address'
import { vendorRoutes } from '../vendor-routes'
import { checkVendorAnswers, trialOf } from '../vendor-trial'
import {
  addVendor,
  checkNewVendor,
  checkVendorName,
  removeVendor,
  setVendor,
  vendorNamed,
  type VendorChange,
} from '../vendors'
import { orNull, said, sent } from './fields'
import { operation } from './operation'
import { cataloguePartsOf } from './parts'
import {
  ChangedVendor,
  changedVendorView,
  namedVendorView,
  TrialView,
  trialView,
  VendorName,
  VendorRouteView,
  vendorRouteView,
  VendorSecret,
  VendorView,
  vendorViewIn,
} from './vendor-views'

const text = Type.String()
const PercentText = Type.String({ minLength: 1, maxLength: 20 })
const Address = Type.String({ minLength: 1, maxLength: 500 })
const Word = Type.String({ minLength: 1, maxLength: 40 })
const Seconds = Type.Integer({ minimum: 1, maximum: 86_400 })

const settings = {
  base_url: Type.Optional(Address),
  /** How it deviates, or whose models a proxy sells. */
  dialect: Type.Optional(Word),
  api_key: Type.Optional(VendorSecret),
  timeout_seconds: Type.Optional(Seconds),
  /** Of the first output of a stream; null as the setting says. */
  first_token_timeout_seconds: Type.Optional(orNull(Seconds)),
  transport: Type.Optional(Type.Union(transports.map((each) => Type.Literal(each)))),
  /** Markup of its own pricing rule; prices by rule move at once. */
  margin_percent: Type.Optional(PercentText),
  active: Type.Optional(Type.Boolean()),
  /** False saves it without asking it. */
  test: Type.Boolean({ default: true }),
  /** Saves it although it does not answer well. */
  force: Type.Optional(Type.Boolean()),
} as const

const margin = (typed: string | undefined): string | undefined =>
  typed === undefined
    ? undefined
    : said('margin_percent', { rule: 'bad_form', form: 'percent' }, () => percentOf(typed))

const msOf = (seconds: number | null | undefined): number | null | undefined =>
  typeof seconds === 'number' ? seconds * 1000 : seconds

/** Another address or another key may be wrong. */
const isToBeTried = (was: VendorConfig, now: VendorConfig): boolean =>
  was.baseUrl !== now.baseUrl || was.kind !== now.kind || was.credential !== now.credential

export const vendorOperations = [
  operation({
    name: 'vendor.list',
    method: 'GET',
    path: '/vendors',
    role: 'viewer',
    about: 'Vendors with their state, latency, failures and balance; keys are not shown',
    result: Type.Object({ data: Type.Array(VendorView) }),
    async run(parts) {
      const vendors = await vendorsOf(await cataloguePartsOf(parts))
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
    body: { name: VendorName, kind: Word, ...settings },
    result: ChangedVendor,
    async run(parts, { body }) {
      const { service, requester } = parts
      const marginPercent = margin(body.margin_percent) ?? null
      checkVendorName(body.name)
      await checkNewVendor(await cataloguePartsOf(parts), body.name)
      const { base_url: baseUrl, dialect, kind } = body
      const vendor: VendorConfig = {
        ...placeOfNew({ kind, ...sent({ baseUrl, dialect }) }, service.ownAddresses()),
        name: body.name,
        credential: body.api_key ?? null,
        timeoutMs:
          body.timeout_seconds === undefined
            ? service.vendorTimeoutMs
            : body.timeout_seconds * 1000,
        firstTokenTimeoutMs: msOf(body.first_token_timeout_seconds) ?? null,
        transport: body.transport ?? 'own',
        active: body.active ?? true,
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
    body: { kind: Type.Optional(Word), rename: Type.Optional(VendorName), ...settings },
    result: ChangedVendor,
    async run(parts, { params, body }) {
      const { service, requester } = parts
      const vendor = await vendorNamed(await cataloguePartsOf(parts), params.name)
      const { kind, base_url: baseUrl, dialect } = body
      const place = placeOfChanged(vendor, sent({ kind, baseUrl, dialect }), service.ownAddresses())
      const change: VendorChange = {
        ...place,
        ...sent({
          credential: body.api_key,
          transport: body.transport,
          active: body.active,
          name: body.rename,
          marginPercent: margin(body.margin_percent),
          timeoutMs: body.timeout_seconds === undefined ? undefined : body.timeout_seconds * 1000,
          firstTokenTimeoutMs: msOf(body.first_token_timeout_seconds),
        }),
      }
      const changed = { ...vendor, ...change, name: vendor.name }
      const trial =
        body.test && isToBeTried(vendor, changed)
          ? await checkVendorAnswers(service.askVendor, changed, body.force === true)
          : null
      const set = await setVendor(
        await cataloguePartsOf(parts),
        params.name,
        change,
        requester.actor,
      )
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
    result: Type.Object({ name: text, deleted: Type.Boolean() }),
    async run(parts, { params: { name } }) {
      await removeVendor(await cataloguePartsOf(parts), name)
      return { name, deleted: true }
    },
  }),
  operation({
    name: 'vendor.test',
    method: 'POST',
    path: '/vendors/{name}/test',
    role: 'staff',
    about: 'Ask a vendor for its models with each of its credentials: reachable, key accepted',
    params: { name: VendorName },
    result: Type.Object({ ok: Type.Boolean(), data: Type.Array(TrialView) }),
    async run(parts, { params }) {
      const vendor = await vendorNamed(await cataloguePartsOf(parts), params.name)
      const data = await Promise.all(
        everyCredentialOf(vendor).map(async (signed) =>
          trialView(await trialOf(parts.service.askVendor, signed), credentialIn(signed)),
        ),
      )
      return { ok: data.every(({ ok }) => ok), data }
    },
  }),
] as const
