const formType = /^\s*multipart\/form-data\s*(?:;|$)/i
const inQuotes = /;\s*boundary\s*=\s*"([^"]{1,70})"/i
const plain = /;\s*boundary\s*=\s*([^\s";]{1,70})(?=[\s;]|$)/i

/** What divides the parts of a form, by the header that tells; null when it is no form. */
export function boundaryOf(contentType: string | null): string | null {
  if (contentType === null || !formType.test(contentType)) return null
  const boundary = (inQuotes.exec(contentType) ?? plain.exec(contentType))?.[1]?.trimEnd()
  return boundary === undefined || boundary === '' ? null : boundary
}
