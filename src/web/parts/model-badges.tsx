import { Badge } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { ModelRow } from '../sold-models'

/** Badges of a model: free, or of the sandbox. */
export function ModelBadges({ model }: { readonly model: Pick<ModelRow, 'is_free' | 'sandbox'> }) {
  const t = useTranslations('models')
  return (
    <>
      {model.is_free && (
        <Badge size="sm" variant="light" tt="none">
          {t('free')}
        </Badge>
      )}{' '}
      {model.sandbox && (
        <Badge size="sm" tt="none" className="sandbox-badge">
          {t('sandbox')}
        </Badge>
      )}
    </>
  )
}
