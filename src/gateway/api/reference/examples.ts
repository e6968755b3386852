import { codes, type ErrorCode } from '../../../errors/codes'
import { exampleFacts } from '../../../errors/example-facts'
import { GatewayError, type ErrorBody } from '../../../errors/gateway-error'

/** Example answer for a code. */
export function errorExample(code: ErrorCode, language: 'en' | 'fa' = 'en'): ErrorBody {
  return new GatewayError(code, exampleFacts(code)).body(language)
}

/** Whether repeating the same request can help: as the headers of the refusal say it. */
export function isRetryable(code: ErrorCode): boolean {
  const row = codes[code]
  return (row.status === 429 || row.status >= 502) && !('permanent' in row)
}
