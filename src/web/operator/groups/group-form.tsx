import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { queries } from '../../queries'
import { operate, type Result } from '../operate'
import { FormDialog } from '../../parts/form-dialog'
import { groupLimitFields } from '../../../domain/fields/group-fields'
import { changedFields, isTyped, TableInputs, typedTable } from '../parts/table-fields'

type Group = Result<'POST /groups'>

interface GroupFormProps {
  /** Null for a new one. */
  readonly group: Group | null
  readonly onClose: () => void
  readonly onMade?: (group: Group) => void
}

/** Name of a group, and the limits that it gives its accounts. */
export function GroupForm({ group, onClose, onMade }: GroupFormProps) {
  const t = useTranslations('groupForm')
  const words = useTranslations('limitFields')
  const before = typedTable(groupLimitFields, group ?? {})
  const [name, setName] = useState(group?.name ?? '')
  const [limits, setLimits] = useState(before)
  const save = useMutation({
    mutationFn: () => {
      const body = { name, ...changedFields(groupLimitFields, limits, before) }
      return group === null
        ? operate('POST /groups', { body })
        : operate('PATCH /groups/{id}', { params: { id: group.id }, body })
    },
    async onSuccess(made) {
      await queries.invalidateQueries({ queryKey: ['op'] })
      onClose()
      onMade?.(made)
    },
  })
  return (
    <FormDialog
      title={t(group === null ? 'add' : 'change')}
      action={t(group === null ? 'make' : 'save')}
      isReady={name.trim() !== '' && isTyped(groupLimitFields, limits)}
      saving={save}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        dir="auto"
        description={t('nameLead')}
        required
        withAsterisk={false}
        maxLength={60}
        data-autofocus
      />
      <TableInputs
        table={groupLimitFields}
        typed={limits}
        onType={setLimits}
        lead={(wire) => (wire === 'daily_cap_usd' ? words('daily_lead') : t('emptyLead'))}
      />
    </FormDialog>
  )
}
