import { reference } from '../../gateway/api/table'
import type { Offer } from '../../gateway/catalogue/catalogue'
import { openWebApp, type WebApp } from '../../console/web-app'
import type { EmbeddedApp } from '../../console/embedded'
import type { SoldModel } from '../../console/models/sold-model'
import type { OperatorService } from '../../console/operator-parts'
import type { Clock } from '../../domain/clock'
import { faultFields, type Log } from '../../gateway/observability/log'
import { mayBePublic } from '../../gateway/outbound/public-fetch'
import { openChangePhone } from '../../business/users/change-phone'
import { openEntrance } from '../../business/users/sign-in-flow'
import { openMembers } from '../../business/users/members'
import { openPasskeys } from '../../business/users/passkeys'
import { openProofs } from '../../business/users/proof'
import { openImpersonations } from '../../business/operators/impersonation'
import { openSessions } from '../../business/users/sessions'
import { openSignIn, type SendCode } from '../../business/users/sign-in'
import { openSignInCodes } from '../../business/users/sign-in-codes'
import type { SignInLimits } from '../../business/users/sign-in-rules'
import { openInviteNotice } from '../../business/users/invite-notice'
import { openSisterSignIn } from '../../business/users/sso'
import { mayBeSent, openSms, SmsError, type Sms } from '../../business/notices/sms/open-sms'
import type { Storage } from '../../business/data/storage'
import type { ServiceAddresses } from './addresses'
import { keyPrefix, type Config } from '../config'
import type { Gateway } from '../gateway'
import { holderParts } from './holder-pages'
import { trialWordOf, type PaymentService } from '../composition/payment-service'
import { sharedInvitations } from '../cluster/shared-work'
import { invitationText, openSmsWays, smsText } from '../composition/sms-service'
import { logUnsigned } from './unsigned-events'
import { identifyKey } from '../../gateway/call/admit'
import type { CallBody, Endpoint } from '../../gateway/call/endpoint'
import { runCall, type CallParts } from '../../gateway/call/run'
import type { CallByKey } from '../../console/playground'
import { imagesEndpoint } from '../../gateway/endpoints/images/endpoint'
import { speechEndpoint } from '../../gateway/endpoints/speech/endpoint'
import { chatFormat } from '../../gateway/endpoints/text/chat-format'
import { textEndpoint } from '../../gateway/endpoints/text/endpoint'
import { openAudioEndpoint } from '../../gateway/endpoints/transcription/endpoint'
import type { Spool } from '../../gateway/http/spool'

export interface WebParts {
  readonly config: Config
  readonly storage: Storage
  readonly gateway: Gateway
  readonly payments: Pick<PaymentService, 'cards' | 'redeem'>
  readonly clock: Clock
  readonly log: Log
  describeCommands(): string
  readonly desk: OperatorService
  readonly addresses: ServiceAddresses
  /** Tests bring their own. */
  readonly app?: EmbeddedApp
}

/** The pages for people, and their API, on what this process shares. */
export function openWeb(parts: WebParts): WebApp {
  const { config, storage, gateway, clock, log } = parts
  const { people, pepper } = storage
  const { settings, ledger, limits, catalogue, cardOf } = gateway.parts
  const serviceName = () => settings.brandName ?? config.services[0]
  const { publicUrl } = parts.addresses
  const sessions = openSessions({
    store: storage.sessions,
    clock,
    pepper,
    limits: () => ({ idleMs: settings.sessionIdle, lifeMs: settings.sessionLife }),
  })
  const signInLimits = (): SignInLimits => ({
    lifeMs: settings.codeLifeSeconds * 1000,
    perServiceHour: settings.smsPerHour,
  })
  const codes = openSignInCodes({
    store: storage.signIn,
    clock,
    pepper,
    limits: signInLimits,
    wrongAlarm: () => settings.wrongCodesAlarm,
    onAlarm: gateway.tellCount,
  })
  const sms = openSms({
    store: storage.smsProviders,
    ways: openSmsWays(config, log),
    text: smsText(serviceName, publicUrl === null ? null : new URL(publicUrl).host),
  })
  const warn = (fault: unknown) => log.warn('sign-in code not sent', smsFields(fault))
  const entrance = openEntrance({
    people,
    sessions,
    onChanged: gateway.changed,
    remember: codes.remember,
    onEntered: gateway.holders.arrived,
  })
  const signIn = openSignIn({
    codes,
    entrance,
    send: patientSend(sms, warn),
    clock,
    limits: signInLimits,
    onUnsent: warn,
  })
  const passkeys = openPasskeys({
    store: storage.passkeys,
    entrance,
    clock,
    pepper,
    onRefused: (reason) => log.warn('passkey refused', { reason }),
  })
  const others = sharedInvitations(gateway.bus)
  return openWebApp({
    brand: () => ({
      name: serviceName(),
      colour: settings.brandColour,
      logo: settings.brandLogo,
    }),
    ...parts.addresses,
    people,
    members: openMembers({
      store: storage.memberships,
      clock,
      tellInvited: openInviteNotice({
        clock,
        text: invitationText(serviceName, publicUrl),
        send: byProvider(storage, sms),
        onFault: (fault) => log.warn('invitation not sent', smsFields(fault)),
        ...(others === undefined ? {} : { others }),
      }),
    }),
    passkeys,
    proofs: openProofs({ people, signIn, codes, passkeys, sessions }),
    sister: openSisterSignIn({
      store: storage.sister,
      tickets: storage.tickets,
      entrance,
      clock,
      pepper,
      publicUrl,
      onRefused: (reason) => log.warn('sister ticket refused', { reason }),
    }),
    sessions,
    looks: openImpersonations({ store: storage.accountLooks, clock, pepper }),
    signIn,
    changePhone: openChangePhone({ codes, people, signIn }),
    phoneMoves: ({ person }) => storage.by(`person:${person}`).phoneMoves,
    ...holderParts(parts),
    mayBePublic,
    ...moneyIn(parts),
    ledger,
    settings,
    limits,
    allAccounts: storage.directory,
    callByKey: openPlaygroundCalls(gateway.parts),
    reader: storage.accountReader,
    reports: storage.reports,
    cardOf,
    onSale: (group = null) => soldModels(catalogue.of(group).onSale()),
    listedModels: (group = null) => soldModels(catalogue.of(group).listed()),
    coinsPerUsd: async () => (await storage.payments.rate())?.rate ?? null,
    secrets: { prefix: keyPrefix(config.services[0]), pepper },
    clock,
    directory: ({ person }) => storage.by(`person:${person}`).directory,
    changed: gateway.changed,
    onUnsigned: logUnsigned(log, gateway.parts.monotonic),
    onFault: (fault) => log.error('web request failed', faultFields(fault)),
    desk: parts.desk,
    describeCommands: parts.describeCommands,
    describeInterface: reference.content,
    ...(parts.app === undefined ? {} : { app: parts.app }),
  })
}

/** Made once for each state of the catalogue. */
const soldOnce = new WeakMap<readonly Offer[], readonly SoldModel[]>()

function soldModels(offers: readonly Offer[]): readonly SoldModel[] {
  const sold = soldOnce.get(offers) ?? offers.map(soldModel)
  soldOnce.set(offers, sold)
  return sold
}

const moneyIn = ({ payments, storage, log }: WebParts) => ({
  ...payments,
  cardPayments: storage.cardPayments,
  slips: storage.trialSlips,
  trialWordOf: trialWordOf(storage.pepper),
  onReturn: (payment: string, query: string) => log.info('payment return', { payment, query }),
})

const soldModel = ({ model, card, rates, next, routes }: Offer): SoldModel => ({
  ...model,
  card,
  rates,
  ...(next === undefined ? {} : { next }),
  isSandbox: routes.every(({ vendor }) => vendor === 'sandbox'),
})

/** Without a provider nothing is sent, nor logged: whoever is invited sees it when they sign in. */
const byProvider =
  ({ smsProviders }: Pick<Storage, 'smsProviders'>, sms: Pick<Sms, 'notify'>) =>
  async (...message: Parameters<Sms['notify']>): Promise<void> => {
    if ((await smsProviders.list()).length > 0) await sms.notify(...message)
  }

/** A provider that does not answer may have sent the code: whoever waits may have it soon. */
const patientSend =
  (sms: Sms, warn: (fault: unknown) => void): SendCode =>
  async (phone, code) => {
    try {
      return await sms.send(phone, code)
    } catch (thrown) {
      if (!mayBeSent(thrown)) throw thrown
      warn(thrown)
      return { isPrinted: false }
    }
  }

const smsFields = (fault: unknown) =>
  fault instanceof SmsError
    ? { provider: fault.provider, code: fault.fault.code }
    : faultFields(fault)

const chatEndpoint = textEndpoint(chatFormat)

/** Calls of the playground through the same spine as those of programs. */
const openPlaygroundCalls =
  (parts: CallParts & { readonly spool: Spool }): CallByKey =>
  async (call, key, inbound) => {
    const caller = await identifyKey(parts, inbound, key)
    const run = <Body extends CallBody>(endpoint: Endpoint<Body>) =>
      runCall(parts, endpoint, inbound, caller)
    if (call === 'chat') return await run(chatEndpoint)
    if (call === 'images') return await run(imagesEndpoint)
    if (call === 'speech') return await run(speechEndpoint)
    const transcription = openAudioEndpoint('transcribe', parts.spool)
    try {
      return await run(transcription)
    } finally {
      transcription.close()
    }
  }
