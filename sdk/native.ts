/**
 * The main entry over the provider plugin: a program changes only its import line. The types are those of the main
 * entry.
 *
 * @module pulumi-tracking/native
 */
import { declareAll } from "./declarations/declare";
import type { Form } from "./form";
import * as main from "./index";
import { nativeForm } from "./native-form";

export * from "./index";

/** The classes of the main entry, in the plugin's form. */
export const Website = overPlugin(main.Website);
export const Pixel = overPlugin(main.Pixel);
export const Provider = overPlugin(main.Provider);

/** Declares all websites and pixels of YAML files, as in the main entry. */
export const declareFrom: typeof main.declareFrom = (path, opts) =>
  declareAll(path, opts, { Website, Pixel });

/** Not a derived class, whose constructor the engine would report as the place where a program declares resources. */
function overPlugin<C extends { readonly form: Form }>(type: C): C {
  return new Proxy(type, {
    get: (of, name, self) => (name === "form" ? nativeForm : Reflect.get(of, name, self)),
  });
}
