import { expect, it } from 'vitest';
import { nodeRuntimeOf } from './nodeRuntime.ts';

it('programs run on the app itself, told to be Node, with all that lies beside it', () => {
  expect(nodeRuntimeOf({}, '/opt/gatehouse/gatehouse')).toEqual({
    path: '/opt/gatehouse/gatehouse',
    variables: { ELECTRON_RUN_AS_NODE: '1' },
    needs: ['/opt/gatehouse'],
  });
});

it('or on the Node that the person names', () => {
  expect(nodeRuntimeOf({ GATEHOUSE_NODE: '/usr/bin/node' }, '/opt/gatehouse/gatehouse')).toEqual({
    path: '/usr/bin/node',
  });
});
