import { expect, test } from 'vitest'
import { statementsOf } from './migrate.ts'

test.each([
  ['two statements', 'select 1; select 2;', ['select 1', 'select 2']],
  ['no last semicolon, and nothing between two', 'select 1;;\n\nselect 2\n', ['select 1', 'select 2']],
  ['a comment with a semicolon and a quote', "select 1; -- don't; stop\nselect 2;", ['select 1', 'select 2']],
  [
    'a string with a semicolon, a comment and a quote',
    "select ';--''', 2; select 3",
    ["select ';--''', 2", 'select 3'],
  ],
  ['minus and dollar signs', 'select 3 - 1; select $1;', ['select 3 - 1', 'select $1']],
  [
    'a function whose body has semicolons, comments and quotes',
    "create function f() returns int language plpgsql as $$ begin -- it's; one\n return 1; end $$; select f();",
    ["create function f() returns int language plpgsql as $$ begin -- it's; one\n return 1; end $$", 'select f()'],
  ],
  [
    'a tagged body that holds another',
    'do $a$ begin $$;$$; end $a$; select 1',
    ['do $a$ begin $$;$$; end $a$', 'select 1'],
  ],
])('a migration is cut into statements: %s', (_name, text, statements) => {
  expect(statementsOf(text)).toEqual(statements)
})
