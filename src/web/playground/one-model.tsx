import { useTranslations } from 'use-intl'
import type { Family } from '../model-families'
import { useModel, type Model } from '../sold-models'
import { useChosenModels } from './chosen-models'
import { ModelChoice, useCheapest } from './model-choice'

/** The model of a call, and what can be chosen in it once that is known. */
interface OneModel {
  readonly id: string | null
  readonly model: Model | null
  choose(id: string): void
}

/** The model of a call, chosen or given. @param asked by the address of the page */
export function useOneModel(keyId: number, family: Family, asked: string | null): OneModel {
  const chosen = useChosenModels(family, asked)
  const cheapest = useCheapest(keyId, family)
  const id = chosen.models[0] ?? cheapest
  const model = useModel(id)
  return { id, model: model.data ?? null, choose: (next) => chosen.choose([next]) }
}

interface OneModelChoiceProps {
  readonly keyId: number
  readonly family: Family
  readonly chosen: OneModel
}

/** Select of the model of a call. */
export function OneModelChoice({ keyId, family, chosen }: OneModelChoiceProps) {
  const t = useTranslations('playground')
  return (
    <ModelChoice
      keyId={keyId}
      family={family}
      label={t('model')}
      value={chosen.id}
      onChange={chosen.choose}
    />
  )
}
