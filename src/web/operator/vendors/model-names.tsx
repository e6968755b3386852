import { useTranslations } from 'use-intl'
import { Code, Soft } from '../../parts/panel'

const maxShown = 8

/** Model ids in a line, the first of many. */
export function ModelNames({ names }: { readonly names: readonly string[] }) {
  const t = useTranslations('vendor')
  if (names.length === 0) return null
  const more = names.length - maxShown
  return (
    <ul className="plain-rows">
      {names.slice(0, maxShown).map((name) => (
        <li key={name}>
          <Code>{name}</Code>
        </li>
      ))}
      {more > 0 && (
        <li>
          <Soft>{t('more', { count: more })}</Soft>
        </li>
      )}
    </ul>
  )
}
