import { NativeSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'

/** As many are listed; where an account has more, the server searches them. */
const maxListed = 100
const maxFound = 20
const waitMs = 200

/** The first projects of the account. */
export const useProjects = () =>
  useQuery({
    queryKey: ['projects', 'choice'],
    queryFn: () => ask(api.projects.get({ query: { max: maxListed } })),
  })

interface ProjectPickerProps {
  readonly label: string
  /** Id; '' for all of them. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** What all of them is called; absent where one must be chosen. */
  readonly all?: string
}

/** One of the account's projects, however many it has. */
export function ProjectPicker(props: ProjectPickerProps) {
  const { label, value, onChange, all } = props
  const { data: projects } = useProjects()
  if (projects !== undefined && projects.next !== null) return <SearchedProjects {...props} />
  return (
    <NativeSelect
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        ...(all === undefined ? [] : [{ value: '', label: all }]),
        ...(projects?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}

function SearchedProjects({ label, value, onChange, all }: ProjectPickerProps) {
  const t = useTranslations('projects')
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), waitMs)
  const chosen = useQuery({
    queryKey: ['project', value],
    queryFn: () => ask(api.projects({ id: Number(value) }).get()),
    enabled: value !== '',
  })
  // What stands in the field is no search while it is the name of what was chosen.
  const wanted = text === (chosen.data?.name ?? '') ? '' : text
  const found = useQuery({
    queryKey: ['projects', 'found', wanted],
    queryFn: () =>
      ask(api.projects.get({ query: { max: maxFound, ...(wanted && { text: wanted }) } })),
    placeholderData: keepPreviousData,
  })
  const options = [...(chosen.data === undefined ? [] : [chosen.data]), ...(found.data?.data ?? [])]
  return (
    <Select
      label={label}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      data={[...new Map(options.map(({ id, name }) => [id, name]))].map(([id, name]) => ({
        value: String(id),
        label: name,
      }))}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options: listed }) => listed}
      clearable={all !== undefined}
      {...(all === undefined ? {} : { placeholder: all })}
      nothingFoundMessage={t('noneFound')}
      comboboxProps={{ withinPortal: false }}
    />
  )
}
