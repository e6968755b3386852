import { brandColour } from './brand-colour'
import { brandLogo } from './brand-logo'
import { onForHour } from './on-for-hour'
import { dayMs } from '../../domain/clock'
import { usualZone } from '../../domain/zone-days'
import { paymentSettings } from './payment-settings'
import { everyOrOff, pricePolicy, priceSources } from './price-settings'
import { addressesOrAny } from './addresses'
import {
  dollars,
  dollarsOrNone,
  linkOrNone,
  nameOrNone,
  onOff,
  span,
  spanOrOff,
  whole,
  zone,
  type SettingType,
} from './types'

/** One setting of the service, as data. */
interface SettingRow {
  /** Name in commands. */
  readonly name: string
  readonly type: SettingType
  /** Holds unless a command or the environment says otherwise, written as a command would. */
  readonly preset: string
  /** Environment variable that wins over what a command has set; null for none. */
  readonly variable: string | null
  /** Description for people. */
  readonly about: string
}

const any = Number.MAX_SAFE_INTEGER
/** Upper bound of `session-life`. */
export const maxSessionLifeMs = 90 * dayMs

/**
 * Every setting that a command changes while the gateway serves. Another row is another setting: it is
 * listed, checked, kept, reloaded and overridden like the rest. Its Persian for the console stands in
 * `web/operator/texts/fa-meanings.ts`.
 */
export const registry = {
  gatewayOpen: {
    name: 'gateway',
    type: onOff,
    preset: 'on',
    variable: null,
    about: 'off refuses every metered call with gateway_disabled; running ones go on',
  },
  streaming: {
    name: 'streaming',
    type: onOff,
    preset: 'on',
    variable: null,
    about: 'off refuses stream: true with streaming_disabled; running streams go on',
  },
  serviceDayCapacity: {
    name: 'day-capacity',
    type: dollarsOrNone,
    preset: 'none',
    variable: 'CHAPAR_DAY_CAPACITY',
    about: 'dollars that the whole service may spend a day (UTC)',
  },
  kycCeiling: {
    name: 'kyc-ceiling',
    type: dollars,
    preset: '2',
    variable: 'CHAPAR_KYC_CEILING',
    about: 'dollars that an account may spend in all before it is verified',
  },
  personAccounts: {
    name: 'person-accounts',
    type: whole(1, any),
    preset: '1',
    variable: 'CHAPAR_PERSON_ACCOUNTS',
    about: 'accounts that may be verified by one national code',
  },
  noticeSmsPerDay: {
    name: 'notice-sms-per-day',
    type: whole(0, any),
    preset: '10',
    variable: 'CHAPAR_NOTICE_SMS_PER_DAY',
    about: 'SMS with notices that the people of one account are sent in a day (UTC)',
  },
  staffAmount: {
    name: 'staff-amount',
    type: dollars,
    preset: '100',
    variable: 'CHAPAR_STAFF_AMOUNT',
    about:
      'dollars that an operator who is staff may add, take, give up or refund at once; owners have no such bound',
  },
  staffDay: {
    name: 'staff-day',
    type: dollars,
    preset: '500',
    variable: 'CHAPAR_STAFF_DAY',
    about:
      'dollars that an operator who is staff may give in a UTC day, all keys together: top-ups, corrections, refunds, codes, limits of keys, balances given up; a notice at 80 %',
  },
  staffVerifications: {
    name: 'staff-verifications',
    type: whole(0, any),
    preset: '50',
    variable: 'CHAPAR_STAFF_VERIFICATIONS',
    about: 'verifications that an operator who is staff may approve in a UTC day',
  },
  operatorAddresses: {
    name: 'operator-addresses',
    type: addressesOrAny,
    preset: 'any',
    variable: 'CHAPAR_OPERATOR_ADDRESSES',
    about:
      'addresses and ranges whose operators are answered: elsewhere nothing of theirs is there',
  },
  smsPerHour: {
    name: 'sms-per-hour',
    type: whole(1, any),
    preset: '300',
    variable: 'CHAPAR_SMS_PER_HOUR',
    about:
      'sign-in codes that are sent in an hour, half of them to strangers and a quarter to numbers without an account; then a notice, and no more',
  },
  codeLifeSeconds: {
    name: 'code-life',
    type: whole(30, 600),
    preset: '120',
    variable: 'CHAPAR_CODE_LIFE',
    about: 'seconds for which a sign-in code holds',
  },
  sessionIdle: {
    name: 'session-idle',
    type: span(10 * 60_000, 30 * dayMs),
    preset: '7d',
    variable: 'CHAPAR_SESSION_IDLE',
    about: 'how long a customer who does not come stays signed in',
  },
  sessionLife: {
    name: 'session-life',
    type: span(3_600_000, maxSessionLifeMs),
    preset: '30d',
    variable: 'CHAPAR_SESSION_LIFE',
    about: 'how long after signing in a customer must sign in anew, however often they come',
  },
  wrongCodesAlarm: {
    name: 'wrong-codes-alarm',
    type: whole(1, any),
    preset: '100',
    variable: 'CHAPAR_WRONG_CODES_ALARM',
    about: 'wrong sign-in codes in an hour, of all phones, from which a notice tells of them',
  },
  serviceZone: {
    name: 'service-zone',
    type: zone,
    preset: usualZone,
    variable: 'CHAPAR_SERVICE_ZONE',
    about:
      'time zone of the days that the web app counts usage by; a change is for calls that begin then: days that are past keep the zone they were counted in',
  },
  addressRequestsPerMinute: {
    name: 'address-rpm',
    type: whole(1, any),
    preset: '600',
    variable: 'CHAPAR_ADDRESS_RPM',
    about: 'requests per minute of one client address',
  },
  addressConcurrency: {
    name: 'address-concurrency',
    type: whole(1, any),
    preset: '1024',
    variable: 'CHAPAR_ADDRESS_CONCURRENCY',
    about:
      'requests in progress of one client address, streams and sockets too; a quarter of the open files at most',
  },
  failedAttempts: {
    name: 'failed-attempts',
    type: whole(1, any),
    preset: '20',
    variable: 'CHAPAR_FAILED_ATTEMPTS',
    about:
      'wrong keys and guesses of codes from one address in five minutes before further ones must wait',
  },
  overloadLag: {
    name: 'overload-lag',
    type: whole(0, 60_000),
    preset: '200',
    variable: 'CHAPAR_OVERLOAD_LAG',
    about:
      'milliseconds that calls may make the event loop lag for a second before new metered ones get 503; 0 never refuses, as serve --ephemeral',
  },
  sandbox: {
    name: 'sandbox',
    type: onOff,
    preset: 'off',
    variable: 'CHAPAR_SANDBOX',
    about: 'on sells the models of the built-in sandbox, whose answers are made up',
  },
  appUrl: {
    name: 'app-url',
    type: linkOrNone,
    preset: 'none',
    variable: 'CHAPAR_APP_URL',
    about: 'where customers look after keys and identity; stands in messages that send them there',
  },
  topUpUrl: {
    name: 'top-up-url',
    type: linkOrNone,
    preset: 'none',
    variable: 'CHAPAR_TOP_UP_URL',
    about: 'where customers pay; stands in the message of a balance that is too low',
  },
  ...paymentSettings,
  supportUrl: {
    name: 'support-url',
    type: linkOrNone,
    preset: 'none',
    variable: 'CHAPAR_SUPPORT_URL',
    about: 'where customers ask for help; stands in the message of a suspended account',
  },
  brandName: {
    name: 'brand-name',
    type: nameOrNone,
    preset: 'none',
    variable: 'CHAPAR_BRAND_NAME',
    about: 'what people read as the name of the service, in any language; keys keep theirs',
  },
  brandColour: {
    name: 'brand-colour',
    type: brandColour,
    preset: 'none',
    variable: 'CHAPAR_BRAND_COLOUR',
    about:
      'colour of buttons and links; its hue is kept, and made as light as it must be to be read',
  },
  brandLogo: {
    name: 'brand-logo',
    type: brandLogo,
    preset: 'none',
    // It is kept whole: there is no file to look after.
    variable: null,
    about: 'picture of the service: names a file, SVG without scripts or PNG, of 64 KB at most',
  },
  outputAllowance: {
    name: 'output-allowance',
    type: whole(1, 10_000_000),
    preset: '4096',
    variable: 'CHAPAR_OUTPUT_ALLOWANCE',
    about: 'output tokens held for when the client sets no ceiling',
  },
  reasoningAllowance: {
    name: 'reasoning-allowance',
    type: whole(1, 10_000_000),
    preset: '16384',
    variable: 'CHAPAR_REASONING_ALLOWANCE',
    about: 'the same for reasoning models',
  },
  realtimeHold: {
    name: 'realtime-hold',
    type: dollars,
    preset: '0.1',
    variable: 'CHAPAR_REALTIME_HOLD',
    about: 'dollars held ahead of what a realtime conversation has cost so far',
  },
  vendorCount: {
    name: 'vendor-count',
    type: onOff,
    preset: 'off',
    variable: 'CHAPAR_VENDOR_COUNT',
    about: 'on asks vendors that count tokens for count_tokens, which sends them the prompt',
  },
  vendorCheckEvery: {
    name: 'vendor-check-every',
    type: spanOrOff(10_000),
    preset: '5m',
    variable: 'CHAPAR_VENDOR_CHECK_EVERY',
    about: 'how long a vendor is not called before it is checked by a free call; off for never',
  },
  vendorDownAfter: {
    name: 'vendor-down-after',
    type: span(1000),
    preset: '5m',
    variable: 'CHAPAR_VENDOR_DOWN_AFTER',
    about: 'how long a vendor fails before a notice says that it is down',
  },
  firstTokenTimeout: {
    name: 'first-token-timeout',
    type: spanOrOff(1000),
    preset: 'off',
    variable: 'CHAPAR_FIRST_TOKEN_TIMEOUT',
    about:
      'how long a stream may say nothing before the next route is tried; off for the timeout of its vendor',
  },
  vendorStore: {
    name: 'vendor-store',
    type: onOff,
    preset: 'on',
    variable: 'CHAPAR_VENDOR_STORE',
    about:
      'off has vendors keep no answers (store: false): no previous_response_id goes on from them',
  },
  promptCache: {
    name: 'prompt-cache',
    type: onOff,
    preset: 'off',
    variable: 'CHAPAR_PROMPT_CACHE',
    about:
      'on asks Anthropic to cache large prompts of other formats: a write costs a quarter more',
  },
  logVendorWords: {
    name: 'log-vendor-words',
    type: onForHour,
    preset: 'off',
    // It must end by itself, and a variable holds as long as the process.
    variable: null,
    about:
      'on logs for one hour what vendors say when they fail, which may quote what clients wrote',
  },
  pricesSources: {
    name: 'prices-sources',
    type: priceSources,
    preset: 'litellm models.dev portkey',
    variable: 'CHAPAR_PRICES_SOURCES',
    about: 'public price data that prices check reads; of as many voices the first one decides',
  },
  pricesAuto: {
    name: 'prices-auto',
    type: pricePolicy,
    preset: 'off',
    variable: 'CHAPAR_PRICES_AUTO',
    about:
      'agree applies cost changes that two sources agree on and that move no price by over 30 %',
  },
  pricesCheckEvery: {
    name: 'prices-check-every',
    type: everyOrOff,
    preset: 'off',
    variable: 'CHAPAR_PRICES_CHECK_EVERY',
    about: 'how often the gateway checks public prices by itself, such as 24h',
  },
  gatherMs: {
    name: 'stream-gather',
    type: whole(0, 100),
    preset: '16',
    variable: 'CHAPAR_STREAM_GATHER',
    about:
      'milliseconds that a piece of a fast stream may wait for the next ones; 0 passes each at once',
  },
} as const satisfies Record<string, SettingRow>

export type SettingKey = keyof typeof registry

/** The value of every setting. */
export type Settings = {
  readonly [Key in SettingKey]: ReturnType<(typeof registry)[Key]['type']['parse']>
}

export const settingKeys = Object.keys(registry) as readonly SettingKey[]
