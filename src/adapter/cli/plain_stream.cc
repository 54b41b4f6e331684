#include "adapter/cli/plain_stream.h"

#include "adapter/cli/steps.h"
#include "base/plain_text.h"

namespace patra::adapter::cli {

PlainStream::~PlainStream() { target_ << Spelled(typed_ + waiting_) << std::flush; }

std::streambuf::int_type PlainStream::overflow(std::streambuf::int_type byte) {
  using Traits = std::streambuf::traits_type;
  if (Traits::eq_int_type(byte, Traits::eof())) return Traits::not_eof(byte);
  const char c = Traits::to_char_type(byte);
  return xsputn(&c, 1) == 1 ? byte : Traits::eof();
}

std::streamsize PlainStream::xsputn(const char* bytes, std::streamsize count) {
  waiting_.append(bytes, static_cast<std::size_t>(count));
  waiting_.erase(0, AppendTyped(waiting_, typed_));
  std::string spelled;
  spelled.reserve(typed_.size());
  typed_.erase(0, AppendSpelled(typed_, spelled));
  target_.write(spelled.data(), static_cast<std::streamsize>(spelled.size()));
  return target_.good() ? count : 0;
}

int PlainStream::sync() { return target_.flush().good() ? 0 : -1; }

}  // namespace patra::adapter::cli
