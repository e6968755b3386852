/** `s···@example.com` */
export const maskEmail = (email: string): string => email.replace(/^(.).*(?=@)/, '$1···')

/** Host of a webhook: whole addresses may hold a secret. */
export const maskWebhook = (url: string): string => `https://${URL.parse(url)?.host ?? ''}/···`
