import { EventEmitter } from 'node:events';

type EventMap<T> = Record<keyof T, unknown[]>;

/**
 * An object of Electron's API. What it does not have is an error with a name instead of an `undefined` of the app, and
 * once it is destroyed it answers nothing but whether it is.
 */
export class Watched<T extends EventMap<T>> extends EventEmitter<T> {
  constructor(name: string, isDestroyed: () => boolean = () => false) {
    super();
    // The fields of a class that extends this one land on the proxy, so `this` is the proxy everywhere.
    return new Proxy(this, {
      get(target, key, receiver) {
        if (isAskedForByRuntimes(key) || key in EventEmitter.prototype) return Reflect.get(target, key, receiver);
        if (!(key in target)) throw missing(name, key);
        if (key !== 'isDestroyed' && isDestroyed()) throw new TypeError('Object has been destroyed');
        return Reflect.get(target, key, receiver);
      },
    });
  }
}

/** The members that exist, and an error with a name for every other. */
export function only<T extends object>(name: string, members: T): T {
  return new Proxy(members, {
    get(target, key, receiver) {
      if (key in target || isAskedForByRuntimes(key)) return Reflect.get(target, key, receiver);
      throw missing(name, key);
    },
  });
}

function missing(name: string, key: string | symbol): Error {
  return new Error(`electron stand-in: ${name}.${String(key)} is not implemented`);
}

/** Awaiting, printing, importing and emitting look for these. */
function isAskedForByRuntimes(key: string | symbol): boolean {
  return typeof key === 'symbol' || /^(_.*|then|toJSON|default|inspect|constructor|domain)$/.test(key);
}
