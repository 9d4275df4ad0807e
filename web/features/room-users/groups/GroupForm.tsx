import { Group, Select, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useEffect } from 'react'
import { AddGroup, GROUP_COLOURS, GroupColour, type UserGroup } from '../../../../shared/user-groups.ts'
import { fieldErrorsOf, generalMessageOf } from '../../../lib/api-client.ts'
import { useSaveGroup } from '../../../queries/user-groups.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { SteadyButton } from '../../../ui/SteadyButton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { COLOUR_NAMES } from '../../../widgets/user-groups/colour-names.ts'
import { GroupLine, GroupSwatch } from '../../../widgets/user-groups/GroupChips.tsx'
import classes from './groups.module.css'

type GroupFormProps = {
  /** The group as the host saw it; null for a new one. */
  group: UserGroup | null
  groups: readonly UserGroup[]
  onDirty: (isDirty: boolean) => void
  onDone: () => void
}

export function GroupForm({ group, groups, onDirty, onDone }: GroupFormProps) {
  const save = useSaveGroup()
  const form = useForm<AddGroup>({
    initialValues: { name: group?.name ?? '', colour: group?.colour ?? rarestColour(groups) },
    validate: schemaResolver(AddGroup, { sync: true }),
  })
  const isDirty = form.isDirty('name') || (group !== null && form.isDirty('colour'))
  useEffect(() => onDirty(isDirty), [onDirty, isDirty])
  const failure = generalMessageOf(save.error, form.values, 'The group could not be saved. Please try again.')

  function handleSubmit(values: AddGroup) {
    save.mutate(
      { seen: group, ...values },
      {
        onSuccess: ({ message }) => {
          toast.success(message ?? 'Saved')
          onDone()
        },
        onError: (error) => form.setErrors(fieldErrorsOf(error)),
      },
    )
  }

  return (
    <form
      noValidate
      className={classes.form}
      aria-label={group ? `Edit ${group.name}` : 'New group'}
      onSubmit={form.onSubmit(handleSubmit)}
    >
      <Group gap="xs" align="flex-start" className={classes.fields}>
        <TextInput label="Name" autoComplete="off" flex="1 1 11rem" autoFocus {...form.getInputProps('name')} />
        <Select
          label="Colour"
          flex="1 1 8rem"
          allowDeselect={false}
          data={COLOURS}
          leftSection={<GroupSwatch colour={form.values.colour} />}
          renderOption={({ option: { value, label } }) => (
            <GroupLine colour={GroupColour.parse(value)}>{label}</GroupLine>
          )}
          {...form.getInputProps('colour')}
        />
      </Group>
      {failure ? <Notice tone="bad">{failure}</Notice> : null}
      <Group justify="flex-end" gap="xs">
        <SteadyButton h={40} type="button" variant="default" off={save.isPending} onClick={onDone}>
          Cancel
        </SteadyButton>
        <SteadyButton h={40} type="submit" busy={save.isPending}>
          {group ? 'Save group' : 'Add group'}
        </SteadyButton>
      </Group>
    </form>
  )
}

const COLOURS = GROUP_COLOURS.map((value) => ({ value, label: COLOUR_NAMES[value] }))

function rarestColour(groups: readonly UserGroup[]): GroupColour {
  const times = (colour: GroupColour) => groups.filter((one) => one.colour === colour).length
  return GROUP_COLOURS.toSorted((one, other) => times(one) - times(other))[0] ?? 'grey'
}
