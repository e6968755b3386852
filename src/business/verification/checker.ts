import type { Phone } from '../../domain/phone'
import { localPhone } from '../../domain/phone'
import type { PersonalDetails } from './verification'

/** A service that says whether a number is registered to a person; an operator named it. */
export interface CheckerConfig {
  readonly url: string
  /** JSON with `{national_code}`, `{mobile}`, `{first_name}`, `{last_name}` and `{birth_date}` in it. */
  readonly body: string
  /** Where the answer's boolean stands (RFC 6901). */
  readonly pointer: string
  /** Header that the secret goes in. */
  readonly header: string
  /** Sent as it is; null sends none. */
  readonly secret: string | null
}

/** `unknown`: no answer, or none that can be read: people decide. */
type CheckResult = 'match' | 'mismatch' | 'unknown'

interface CheckRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface CheckReply {
  readonly status: number
  readonly text: string
}

/** One POST, never repeated: each may cost money. @throws when there was no answer */
export type PostCheck = (request: CheckRequest) => Promise<CheckReply>

export const checkerPreset = {
  body: '{"national_code":"{national_code}","mobile":"{mobile}"}',
  pointer: '/data',
  header: 'authorization',
} as const

/** Asks whether number and code belong together. Nothing of it is logged. */
export async function requestChecker(
  config: CheckerConfig,
  { identity, phone }: { readonly identity: PersonalDetails; readonly phone: Phone },
  post: PostCheck,
): Promise<CheckResult> {
  const { url, header, secret } = config
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(secret === null ? {} : { [header]: secret }),
  }
  try {
    const reply = await post({ url, headers, body: bodyOf(config.body, identity, phone) })
    return reply.status >= 200 && reply.status < 300
      ? readAnswer(reply.text, config.pointer)
      : 'unknown'
  } catch {
    return 'unknown'
  }
}

function bodyOf(template: string, identity: PersonalDetails, phone: Phone): string {
  const values: Readonly<Record<string, string>> = {
    national_code: identity.nationalCode,
    mobile: localPhone(phone),
    first_name: identity.firstName,
    last_name: identity.lastName,
    birth_date: identity.birthDate,
  }
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    // Inside of the quotes of a JSON text.
    return value === undefined ? whole : JSON.stringify(value).slice(1, -1)
  })
}

function readAnswer(text: string, pointer: string): CheckResult {
  try {
    const found = valueAt(JSON.parse(text), pointer)
    return typeof found !== 'boolean' ? 'unknown' : found ? 'match' : 'mismatch'
  } catch {
    return 'unknown'
  }
}

/** @param pointer as RFC 6901 has it */
function valueAt(value: unknown, pointer: string): unknown {
  if (pointer === '') return value
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
          ? (inner as Record<string, unknown>)[name]
          : undefined,
      value,
    )
}
