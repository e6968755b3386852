import type { SmsDialect, SmsTextDialect } from './dialect'
import { kavenegar, kavenegarText } from './kavenegar'
import type { SmsProvider, SmsProviderKind } from './provider'
import { smsIr, smsIrText } from './sms-ir'
import { twilio, twilioText } from './twilio'
import { webhook, webhookText } from './webhook'

/** Options that a kind of provider asks of the operator. */
interface SmsKind {
  /** Names of its options, and what each is; a preset makes one optional. */
  readonly options: Readonly<Record<string, { readonly about: string; readonly preset?: string }>>
  readonly secret: 'needed' | 'optional' | 'none'
  /** Null for those that are not asked over HTTP. */
  readonly dialect: ((provider: SmsProvider, text: SmsText) => SmsDialect) | null
  /** How it sends notices, which have no template; null where it is not set up for them. */
  readonly texts: (provider: SmsProvider) => SmsTextDialect | null
}

/** Text of an SMS where no template of the provider gives it. */
type SmsText = (code: string) => string

const option = ({ kind, options }: SmsProvider, name: string): string =>
  options[name] ?? smsKinds[kind].options[name]?.preset ?? ''

/** Null where an option that notices need was not given. */
const withOption = (
  provider: SmsProvider,
  name: string,
  dialect: (value: string) => SmsTextDialect,
): SmsTextDialect | null => {
  const value = option(provider, name)
  return value === '' ? null : dialect(value)
}

const secretOf = ({ secret }: SmsProvider): string => secret ?? ''

export const smsKinds: Readonly<Record<SmsProviderKind, SmsKind>> = {
  kavenegar: {
    options: {
      template: { about: 'name of the template with %token' },
      base: { about: 'address', preset: 'https://api.kavenegar.com' },
      sender: { about: 'line that sends notices', preset: '' },
    },
    secret: 'needed',
    texts: (to) =>
      withOption(to, 'sender', (sender) => kavenegarText(option(to, 'base'), secretOf(to), sender)),
    dialect: (to) => kavenegar(option(to, 'base'), secretOf(to), option(to, 'template')),
  },
  'sms.ir': {
    options: {
      template: { about: 'number of the template' },
      parameter: { about: 'the template’s name for the code', preset: 'CODE' },
      base: { about: 'address', preset: 'https://api.sms.ir' },
      line: { about: 'number of the line that sends notices', preset: '' },
    },
    secret: 'needed',
    texts: (to) =>
      withOption(to, 'line', (line) => smsIrText(option(to, 'base'), secretOf(to), line)),
    dialect: (to) =>
      smsIr(
        option(to, 'base'),
        secretOf(to),
        Number(option(to, 'template')),
        option(to, 'parameter'),
      ),
  },
  twilio: {
    options: {
      account: { about: 'account SID' },
      from: { about: 'number or name that sends' },
      base: { about: 'address, of services that copy it', preset: 'https://api.twilio.com' },
    },
    secret: 'needed',
    texts: (to) => twilioText(twilioParts(to)),
    dialect: (to, text) => twilio({ ...twilioParts(to), text }),
  },
  webhook: {
    options: {
      url: { about: 'address that is posted to' },
      body: {
        about: 'body with {phone}, {local} and {code} in it',
        preset: '{"phone":"{phone}","code":"{code}"}',
      },
      'notice-body': {
        about: 'body of notices, with {phone}, {local} and {text} in it',
        preset: '',
      },
    },
    secret: 'optional',
    texts: (to) =>
      withOption(to, 'notice-body', (template) =>
        webhookText({ url: option(to, 'url'), authorization: to.secret, template }),
      ),
    dialect: (to) =>
      webhook({ url: option(to, 'url'), authorization: to.secret, template: option(to, 'body') }),
  },
  command: {
    options: { command: { about: 'program and arguments; gets JSON on standard input' } },
    secret: 'none',
    texts: () => null,
    dialect: null,
  },
  log: { options: {}, secret: 'none', texts: () => null, dialect: null },
}

const twilioParts = (to: SmsProvider) => ({
  base: option(to, 'base'),
  account: option(to, 'account'),
  token: secretOf(to),
  from: option(to, 'from'),
})
