declare const kind: unique symbol;

/** A pointer to something only the driver knows. A bigint at run time; a handle of one kind is not accepted as another. */
export type Handle<Name extends string> = bigint & { readonly [kind]: Name };

/** An address in host memory: a plain bigint. Handles and device pointers are none; of managed memory write `p as bigint`. */
export type HostAddress = bigint & { readonly [kind]?: undefined };

/** An integer of 64 bits: a size, a count, flags. Handles and device pointers are none; of a pointer that is one write `p as bigint`. */
export type Integer = number | HostAddress;

/** An integer with a meaning of its own. Plain integers are accepted for it, other kinds are not. */
export type Kind<Name extends string, Base extends number | bigint> = Base & { readonly [kind]?: Name };
