import type { ReportedError } from './error-body'

/** OpenAI's, Azure's too. */
const rejectionCode = /\binvalid_encrypted_content\b/

/**
 * Words of vendors that cannot read, or no longer believe, sealed reasoning of a request: OpenAI's
 * (`encrypted_content` of another organisation), Anthropic's and Google's, as they were seen to say.
 */
const rejectionWords: readonly RegExp[] = [
  /encrypted content\b.{0,200}\b(?:could not be|did not match)/is,
  /invalid `?(?:signature|data)`? in `?(?:redacted_)?thinking/i,
  /thinking\.signature: field required/i,
  /`?thinking`? (?:or `?redacted_thinking`? )?blocks in the latest assistant message cannot be modified/i,
  // Of a turn that another model began, which has no thinking of this one.
  /expected `?thinking`?.{0,40}, but found/i,
  /(?:invalid|corrupted) thought[ _]?signature/i,
  /thought[ _]?signature is not valid/i,
]

/** Whether a vendor rejects a request for sealed reasoning in it: without that it may take it. */
export const saysSealRejected = ({ codes, message }: ReportedError): boolean =>
  rejectionCode.test(codes) || rejectionWords.some((words) => words.test(message))
