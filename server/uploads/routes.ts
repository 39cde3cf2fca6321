import { rateLimit, requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { changePhoto } from "./commands.ts";

const { uploads } = api;

export const uploadRoutes = uploads.router({
  photo: uploads.photo
    .use(requireSignIn("sign_in_to_upload"))
    .use(rateLimit("upload"))
    .handler(({ context: { request, viewer }, input }) => changePhoto(request.context, viewer, input.file)),
});
