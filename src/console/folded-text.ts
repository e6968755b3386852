/** A text as it is searched by: Arabic letters that keyboards write apart, and joiners, make no difference. */
export const foldedText = (text: string): string =>
  text.toLowerCase().replaceAll('ي', 'ی').replaceAll('ك', 'ک').replaceAll('\u200c', '')
