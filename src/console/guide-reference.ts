import type { GuideLanguage } from '../guide/pages'
import type { GuideSection } from './guide-search'

/** Reference of the interface in one language, made by who knows its routes. */
interface InterfaceReference {
  readonly title: string
  readonly html: { readonly html: string }
  readonly sections: readonly {
    readonly heading: string
    readonly anchor: string
    readonly text: string
  }[]
}

/** Describes the interface for the reference pages. @param name of the service */
export type DescribeInterface = (language: GuideLanguage, name: string) => InterfaceReference

/** Last part of its address. */
export const referenceName = 'reference'

/** Kept for each language, as long as the service has the same name. */
export function openReferencePage(describe: DescribeInterface): DescribeInterface {
  const known = new Map<
    GuideLanguage,
    { readonly name: string; readonly made: InterfaceReference }
  >()
  return (language, name) => {
    const earlier = known.get(language)
    if (earlier?.name === name) return earlier.made
    const made = describe(language, name)
    known.set(language, { name, made })
    return made
  }
}

/** Sections of the reference for a search, one by one. */
export function* referenceSections(
  { sections }: InterfaceReference,
  language: GuideLanguage,
  pageTitle: string,
): Generator<readonly GuideSection[]> {
  for (const section of sections) yield [{ ...section, page: referenceName, language, pageTitle }]
}
