#include "ir/Types.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom::ir;

Axis::Axis(StringAttr name, SizeAttr size) : name(name), sizeAttr(size) {}
SizeAttr Axis::size() const { return llvm::cast<SizeAttr>(sizeAttr); }

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static bool byName(StringAttr a, StringAttr b) { return a.getValue() < b.getValue(); }

SizeAttr SizeAttr::fixed(MLIRContext *context, int64_t extent) {
  return get(context, extent, {}, nullptr);
}

SizeAttr SizeAttr::symbol(MLIRContext *context, StringRef name) {
  return get(context, 1, {StringAttr::get(context, name)}, nullptr);
}

SizeAttr SizeAttr::unknown(MLIRContext *context) {
  return get(context, unknownFactor, {}, nullptr);
}

int64_t SizeAttr::evaluate(function_ref<int64_t(StringAttr)> valueOf) const {
  int64_t value = getFactor();
  for (StringAttr symbol : getSymbols())
    value *= valueOf(symbol);
  return value;
}

SizeAttr SizeAttr::padded() const { return get(getContext(), getFactor(), getSymbols(), nullptr); }

SizeAttr SizeAttr::times(SizeAttr other) const {
  assert(!isUnknown() && !other.isUnknown() && !isRagged() && !other.isRagged());
  SmallVector<StringAttr> symbols(getSymbols());
  llvm::append_range(symbols, other.getSymbols());
  llvm::sort(symbols, byName);
  return get(getContext(), getFactor() * other.getFactor(), symbols, nullptr);
}

SizeAttr SizeAttr::dividedBy(SizeAttr other) const {
  if (isUnknown() || other.isUnknown() || isRagged() || other.isRagged() ||
      getFactor() % other.getFactor() != 0)
    return nullptr;
  SmallVector<StringAttr> symbols(getSymbols());
  for (StringAttr symbol : other.getSymbols()) {
    auto *found = llvm::find(symbols, symbol);
    if (found == symbols.end())
      return nullptr;
    symbols.erase(found);
  }
  return get(getContext(), getFactor() / other.getFactor(), symbols, nullptr);
}

/// `printName`: of symbols and axes, which text has quoted where they are no words.
static void printSize(raw_ostream &os, SizeAttr size, function_ref<void(StringRef)> printName) {
  if (size.isUnknown()) {
    os << "?";
    return;
  }
  if (size.isFixed() || size.getFactor() != 1) {
    os << size.getFactor();
    if (!size.isFixed())
      os << "*";
  }
  llvm::interleave(size.getSymbols(), os, [&](StringAttr s) { printName(s.getValue()); }, "*");
  if (!size.isRagged())
    return;
  os << "[";
  printName(size.getRaggedOver().getValue());
  os << "]";
}

static void printSize(AsmPrinter &printer, SizeAttr size) {
  printSize(printer.getStream(), size, [&](StringRef name) { printer.printKeywordOrString(name); });
}

std::string SizeAttr::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  printSize(os, *this, [&](StringRef name) { os << name; });
  return text;
}

/// Parses `?`, `512`, `B`, `2*B*S` or `S[batch]`.
static FailureOr<SizeAttr> parseSize(AsmParser &parser) {
  MLIRContext *context = parser.getContext();
  if (succeeded(parser.parseOptionalQuestion()))
    return SizeAttr::unknown(context);
  int64_t factor = 1;
  SmallVector<StringAttr> symbols;
  OptionalParseResult number = parser.parseOptionalInteger(factor);
  if (number.has_value() && failed(*number))
    return failure();
  if (number.has_value() && factor < 1)
    return parser.emitError(parser.getCurrentLocation(), "a size is at least 1"), failure();
  if (!number.has_value() || succeeded(parser.parseOptionalStar())) {
    do {
      std::string symbol;
      if (parser.parseKeywordOrString(&symbol))
        return failure();
      symbols.push_back(StringAttr::get(context, symbol));
    } while (succeeded(parser.parseOptionalStar()));
  }
  StringAttr raggedOver;
  if (succeeded(parser.parseOptionalLSquare())) {
    std::string axis;
    if (parser.parseKeywordOrString(&axis) || parser.parseRSquare())
      return failure();
    raggedOver = StringAttr::get(context, axis);
  }
  llvm::sort(symbols, byName);
  return SizeAttr::get(context, factor, symbols, raggedOver);
}

Attribute SizeAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<SizeAttr> size = parseSize(parser);
  if (failed(size) || parser.parseGreater())
    return {};
  return *size;
}

void SizeAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printSize(printer, *this);
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static ParseResult parseAxisNames(AsmParser &parser, SmallVectorImpl<StringAttr> &names) {
  do {
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return failure();
    names.push_back(StringAttr::get(parser.getContext(), name));
  } while (succeeded(parser.parseOptionalComma()));
  return parser.parseRSquare();
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> order;
  if (parser.parseLess() || parser.parseLSquare())
    return {};
  if (failed(parser.parseOptionalRSquare()) && parseAxisNames(parser, order))
    return {};
  if (parser.parseGreater())
    return {};
  return LayoutAttr::get(parser.getContext(), order);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getOrder(), printer,
                        [&](StringAttr name) { printer.printKeywordOrString(name.getValue()); });
  printer << "]>";
}

//===----------------------------------------------------------------------===//
// Placements
//===----------------------------------------------------------------------===//

PlacementAttr PlacementAttr::slot(MLIRContext *context, int64_t index) {
  return get(context, PlacementKind::slot, index, nullptr);
}

PlacementAttr PlacementAttr::result(MLIRContext *context, int64_t index) {
  return get(context, PlacementKind::result, index, nullptr);
}

PlacementAttr PlacementAttr::inVariable(MLIRContext *context, StringRef name) {
  return get(context, PlacementKind::variable, 0, StringAttr::get(context, name));
}

Attribute PlacementAttr::parse(AsmParser &parser, Type) {
  MLIRContext *context = parser.getContext();
  StringRef kind;
  if (parser.parseLess() || parser.parseKeyword(&kind))
    return {};
  PlacementAttr placement;
  if (kind == "variable") {
    StringAttr name;
    if (parser.parseSymbolName(name))
      return {};
    placement = inVariable(context, name.getValue());
  } else if (kind == "slot" || kind == "result") {
    int64_t index = 0;
    if (parser.parseInteger(index))
      return {};
    placement = kind == "slot" ? slot(context, index) : result(context, index);
  } else {
    parser.emitError(parser.getNameLoc(), "a placement is a slot, variable or result; found '")
        << kind << "'";
    return {};
  }
  return parser.parseGreater() ? Attribute() : placement;
}

void PlacementAttr::print(AsmPrinter &printer) const {
  if (isVariable()) {
    printer << "<variable ";
    printer.printSymbolName(getVariable().getValue());
    printer << ">";
  } else {
    printer << (isSlot() ? "<slot " : "<result ") << getIndex() << ">";
  }
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

NamedTensorType NamedTensorType::get(ArrayRef<Axis> axes, Type elementType) {
  SmallVector<Axis> sorted(axes);
  llvm::sort(sorted, [](const Axis &a, const Axis &b) { return byName(a.name, b.name); });
  return Base::get(elementType.getContext(), ArrayRef<Axis>(sorted), elementType);
}

LogicalResult NamedTensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                                      ArrayRef<Axis> axes, Type elementType) {
  for (size_t i = 1; i < axes.size(); ++i)
    if (axes[i - 1].name == axes[i].name)
      return emitError() << "axis '" << axes[i].name.getValue() << "' appears twice in one tensor";
  for (const Axis &axis : axes) {
    if (axis.size().getFactor() > INT32_MAX)
      return emitError() << "axis '" << axis.name.getValue() << "' has size " << axis.size().str()
                         << ", expected at most " << INT32_MAX;
    StringAttr over = axis.size().getRaggedOver();
    if (over && llvm::none_of(axes, [&](const Axis &other) { return other.name == over; }))
      return emitError() << "axis '" << axis.name.getValue() << "' is ragged over '"
                         << over.getValue() << "', which the tensor does not have";
  }
  if (!elementType.isF32() && !elementType.isBF16() && !elementType.isF64() &&
      !elementType.isInteger(32) && !elementType.isInteger(1))
    return emitError() << "element type is " << elementType
                       << ", expected f32, bf16, f64, i32 or i1";
  return success();
}

SizeAttr NamedTensorType::sizeOf(StringRef axis) const {
  for (const Axis &a : getAxes())
    if (a.name.getValue() == axis)
      return a.size();
  return nullptr;
}

NamedTensorType NamedTensorType::withElementType(Type type) const { return get(getAxes(), type); }

NamedTensorType NamedTensorType::with(Axis axis) const {
  assert(!has(axis.name.getValue()));
  SmallVector<Axis> axes(getAxes());
  axes.push_back(axis);
  return get(axes, getElementType());
}

NamedTensorType NamedTensorType::without(ArrayRef<StringAttr> names) const {
  SmallVector<Axis> kept;
  llvm::copy_if(getAxes(), std::back_inserter(kept),
                [&](const Axis &axis) { return !llvm::is_contained(names, axis.name); });
  return get(kept, getElementType());
}

/// A name that the parser would read as a type must be quoted where a type may stand too.
static bool readsAsType(StringRef name) {
  return llvm::StringSwitch<bool>(name)
             .Cases({"index", "none", "tensor", "vector", "memref", "tuple", "complex"}, true)
             .Default(false) ||
         (name.size() > 1 && llvm::is_contained({'i', 'f', 's', 'u', 'b', 't'}, name[0]) &&
          llvm::any_of(name, [](char c) { return llvm::isDigit(c); }));
}

Type NamedTensorType::parse(AsmParser &parser) {
  SmallVector<Axis> axes;
  Type elementType;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  while (true) {
    OptionalParseResult type = parser.parseOptionalType(elementType);
    if (type.has_value()) {
      if (failed(*type))
        return {};
      break;
    }
    std::string name;
    if (parser.parseKeywordOrString(&name) || parser.parseColon())
      return {};
    FailureOr<SizeAttr> size = parseSize(parser);
    if (failed(size) || parser.parseComma())
      return {};
    axes.emplace_back(StringAttr::get(parser.getContext(), name), *size);
  }
  if (parser.parseGreater())
    return {};
  llvm::sort(axes, [](const Axis &a, const Axis &b) { return byName(a.name, b.name); });
  return parser.getChecked<NamedTensorType>(where, parser.getContext(), ArrayRef<Axis>(axes),
                                            elementType);
}

void NamedTensorType::print(AsmPrinter &printer) const {
  printer << "<";
  for (const Axis &axis : getAxes()) {
    if (readsAsType(axis.name.getValue()))
      printer << "\"" << axis.name.getValue() << "\"";
    else
      printer.printKeywordOrString(axis.name.getValue());
    printer << ": ";
    printSize(printer, axis.size());
    printer << ", ";
  }
  printer << getElementType() << ">";
}

#define GET_ATTRDEF_CLASSES
#include "ir/Attributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/Types.cpp.inc"

void AxloomDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/Attributes.cpp.inc"
      >();
}

void AxloomDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/Types.cpp.inc"
      >();
}
