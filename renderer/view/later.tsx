import { lazy, useState, type ComponentType } from 'react';

/** A view whose code is fetched when it is first drawn, unless it was fetched before: then it is drawn at once. */
export type LaterView<Props extends object> = ComponentType<Props> & Fetchable;

export interface Fetchable {
  readonly fetch: () => Promise<void>;
}

/**
 * React shows a view that was waited for no sooner than 300 ms after what stood in for it, so that nothing flickers.
 * What is fetched in good time is never waited for.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): LaterView<Props> {
  let here: ComponentType<Props> | undefined;
  const get = async (): Promise<ComponentType<Props>> => (here = await load());
  const Awaited = lazy(async () => ({ default: await get() }));
  function Later(props: Props) {
    // What has begun as one of them stays that: to change it would make the view anew.
    const [View] = useState(() => here ?? Awaited);
    return <View {...props} />;
  }
  return Object.assign(Later, {
    fetch: async () => {
      await get();
    },
  });
}
